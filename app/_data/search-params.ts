/** What Next passes to a page as `searchParams`. */
export type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

/** Props of a page whose path contains the id of a post or topic. */
export interface IdPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

/** Returns the value of a query parameter; a repeated parameter counts as absent. */
export function single(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Adds the query parameters that have a value to a path. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns whether a path segment can be an id; anything else is 404 without a read. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
