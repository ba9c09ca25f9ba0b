import { viewerMeta } from "@/lib/client/saved";

/** Which pages may be stored, and what their HTML says. */

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/**
 * An allowlist: a new page (a sign-in, an invite, a list of sessions) is not stored unless it is named here. The
 * values are query parameters that make it a different page.
 */
const readable: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/$/, ["sort", "view"]],
  [/^\/topics$/, ["sort", "view"]],
  [new RegExp(`^/topics/${UUID}$`), ["sort"]],
  [new RegExp(`^/posts/${UUID}$`), []],
  [/^\/offline$/, []],
];
/** Parameters that do not make a different page: Next's, the offline page's, and the comment to show. */
const IGNORED_PARAMETERS = new Set(["_rsc", "to", "comment"]);

/**
 * Returns the URL under which a page is stored, or null when it must not be stored. A page with any other parameter
 * (a search, a cursor) is not stored.
 */
export function savedAddress(address: string | URL): string | null {
  const url = new URL(address);
  const found = readable.find(([path]) => path.test(url.pathname));
  if (!found) return null;
  const [, known] = found;
  const kept = new URLSearchParams();
  for (const [name, value] of [...url.searchParams].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (IGNORED_PARAMETERS.has(name)) continue;
    if (!known.includes(name)) return null;
    kept.append(name, value);
  }
  return `${url.origin}${url.pathname}${kept.size > 0 ? `?${kept}` : ""}`;
}

/** Returns whether a response is a page: not a redirect, a refusal or a file. */
export function isPage(response: Response): boolean {
  return (
    response.status === 200 &&
    response.type === "basic" &&
    !response.redirected &&
    (response.headers.get("content-type") ?? "").startsWith("text/html")
  );
}

/**
 * Returns whose page this is, from its head (lib/client/saved.ts); null when it does not say, and must not be stored.
 */
export function viewerOf(html: string): string | null {
  return new RegExp(`<meta name="${viewerMeta}" content="([\\w.:-]{1,128})"`).exec(html)?.[1] ?? null;
}

/** Returns the title of a page as text; empty if it has none. */
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

/** Returns the URLs of the build's scripts and styles that a page names, in tags or in inline scripts. */
export function assetsOf(html: string): string[] {
  const found = html.matchAll(/(?:\/_next\/)?static\/chunks\/[\w./~@%-]+\.(?:js|css)/g);
  return [...new Set([...found].map(([name]) => (name.startsWith("/") ? name : `/_next/${name}`)))];
}

/** Returns the HTML with another meta tag in its head. @param content escaped here */
export function withMeta(html: string, name: string, content: string): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return html.replace(/<head>|<head [^>]*>/, (head) => `${head}<meta name="${name}" content="${escaped}"/>`);
}
