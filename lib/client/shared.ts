/** What another app shares with this one through the query of /write (app/manifest.ts, share_target). */
export interface Shared {
  readonly title: string;
  readonly text: string;
  /** An http(s) URL, or empty. */
  readonly url: string;
}

/** As much text as a URL carries safely, and a title as long as ours may be. */
const LONGEST = { title: 200, text: 4000, url: 2000 } as const;

/** Reads what was shared, or returns null. Some apps put the URL into the text. */
export function readShared(query: Readonly<Record<string, string | string[] | undefined>>): Shared | null {
  const read = (name: keyof typeof LONGEST) => {
    const value = query[name];
    return typeof value === "string" ? value.trim().slice(0, LONGEST[name]) : "";
  };
  const url = read("url");
  const shared = {
    title: read("title").replace(/\s+/g, " "),
    text: read("text"),
    url: /^https?:$/.test(URL.parse(url)?.protocol ?? "") ? url : "",
  };
  return shared.title || shared.text || shared.url ? shared : null;
}

/** Returns the query that passes it to another page of ours. */
export function sharedQuery(shared: Shared | null): string {
  if (!shared) return "";
  return `?${new URLSearchParams(Object.entries(shared).filter(([, value]) => value))}`;
}

/** Returns text and URL as HTML paragraphs, with all markup escaped. */
export function sharedHtml({ text, url }: Shared): string {
  const lines = [...text.split(/\n+/), text.includes(url) ? "" : url];
  return lines
    .filter((line) => line.trim())
    .map((line) => `<p>${escaped(line)}</p>`)
    .join("");
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
