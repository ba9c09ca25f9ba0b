import { viewerMeta } from "@/lib/client/saved";

/** Which pages may be kept, and what is read from and written into their HTML. */

const id = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/**
 * A list of what may be kept and not of what may not: a page somebody adds (a sign-in, an invite, a list of sessions)
 * is not kept unless it is named here. Values are the query parameters that make another page of it.
 */
const readable: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/$/, ["sort", "view"]],
  [/^\/topics$/, ["sort", "view"]],
  [new RegExp(`^/topics/${id}$`), ["sort"]],
  [new RegExp(`^/posts/${id}$`), []],
  [/^\/offline$/, []],
];
/** Parameters that make no page of its own: of Next, of the offline page, and the comment a post is shown at. */
const ignored = new Set(["_rsc", "to", "comment"]);

/**
 * The address under which a page is kept, or null when it must not be kept.
 * A parameter that is not known (a search, a place in a list) makes it a page that is not kept.
 */
export function savedAddress(address: string | URL): string | null {
  const url = new URL(address);
  const found = readable.find(([path]) => path.test(url.pathname));
  if (!found) return null;
  const [, known] = found;
  const kept = new URLSearchParams();
  for (const [name, value] of [...url.searchParams].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (ignored.has(name)) continue;
    if (!known.includes(name)) return null;
    kept.append(name, value);
  }
  return `${url.origin}${url.pathname}${kept.size > 0 ? `?${kept}` : ""}`;
}

/** Whether an answer is a page as such: not a redirect, a refusal or a file. */
export function isPage(response: Response): boolean {
  return (
    response.status === 200 &&
    response.type === "basic" &&
    !response.redirected &&
    (response.headers.get("content-type") ?? "").startsWith("text/html")
  );
}

/** Whose page this is, as its head says (lib/client/saved.ts); null when it does not say, and must not be kept. */
export function viewerOf(html: string): string | null {
  return new RegExp(`<meta name="${viewerMeta}" content="([\\w.:-]{1,128})"`).exec(html)?.[1] ?? null;
}

/** Title of a page, as text; empty when it has none. */
export function titleOf(html: string): string {
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";
  const characters: Readonly<Record<string, string>> = {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    "#x27": "'",
    "#39": "'",
  };
  return title.replace(/&(#?\w+);/g, (whole, name: string) => characters[name] ?? whole);
}

/** Addresses of scripts and styles of the build that a page names, in its tags or in what its scripts are told. */
export function assetsOf(html: string): string[] {
  const found = html.matchAll(/(?:\/_next\/)?static\/chunks\/[\w./~@%-]+\.(?:js|css)/g);
  return [...new Set([...found].map(([name]) => (name.startsWith("/") ? name : `/_next/${name}`)))];
}

/** The HTML with one more entry in its head. @param content escaped here */
export function withMeta(html: string, name: string, content: string): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return html.replace(/<head>|<head [^>]*>/, (head) => `${head}<meta name="${name}" content="${escaped}"/>`);
}
