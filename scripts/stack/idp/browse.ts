/**
 * As much of a browser as signing in by plain HTTP needs: cookies per origin, redirects by hand, and
 * the hidden fields of a form. Agents drive the identity provider with it.
 */
export interface Page {
  url: string;
  status: number;
  /** Set instead of a body when the redirect left the origin the visit began at. */
  leftFor: string | null;
  body: string;
}

const MAX_REDIRECTS = 10;

export class Visitor {
  private readonly cookies = new Map<string, string>();

  /** @param origin requests never leave it: a redirect elsewhere is returned, not followed. */
  constructor(private readonly origin: string) {}

  get(url: string): Promise<Page> {
    return this.request(url, { method: "GET" });
  }

  post(url: string, fields: Record<string, string>): Promise<Page> {
    return this.request(url, { method: "POST", body: new URLSearchParams(fields) });
  }

  private async request(start: string, first: { method: string; body?: URLSearchParams }): Promise<Page> {
    let url = new URL(start, this.origin);
    let init: RequestInit = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      if (url.origin !== this.origin) return { url: url.href, status: 0, leftFor: url.href, body: "" };
      const cookie = [...this.cookies].map(([k, v]) => `${k}=${v}`).join("; ");
      const response = await fetch(url, { ...init, redirect: "manual", headers: cookie ? { cookie } : {} });
      for (const line of response.headers.getSetCookie()) this.keep(line);
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || !location) {
        return { url: url.href, status: response.status, leftFor: null, body: await response.text() };
      }
      await response.body?.cancel();
      url = new URL(location, url);
      init = { method: "GET" };
    }
    throw new Error(`too many redirects from ${start}`);
  }

  private keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";");
    const name = pair.slice(0, pair.indexOf("=")).trim();
    const expires = attributes.find((a) => a.trim().toLowerCase().startsWith("expires="));
    const gone = expires !== undefined && Date.parse(expires.slice(expires.indexOf("=") + 1)) < Date.now();
    if (gone) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(pair.indexOf("=") + 1).trim());
  }
}

/** Name and value of every `<input type="hidden">` on a page, entities decoded. */
export function hiddenFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [tag] of html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    if (name) fields[name] = decodeEntities(/value="([^"]*)"/.exec(tag)?.[1] ?? "");
  }
  return fields;
}

function decodeEntities(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}
