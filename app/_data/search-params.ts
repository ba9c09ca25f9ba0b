/** What Next hands a page as `searchParams`. */
export type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

/** The one value of a query parameter; a repeated one counts as absent. */
export function single(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A path with those query parameters that have a value. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a path segment can be the id of anything; others are 404 without asking. */
export function isId(text: string): boolean {
  return uuid.test(text);
}
