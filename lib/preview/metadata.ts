import type { contract, ResponseBody } from "@/lib/contract";
import { boundedParser, parseInSlices, shorten, TooDeep } from "@/lib/html";

type Preview = ResponseBody<typeof contract.previews.get>;

/** Longest texts and addresses of a preview, in characters. */
const limits = { title: 300, description: 1_000, siteName: 100, address: 2_000 } as const;

/** What of a page's markup says something about it; the first of a kind counts. */
interface Found {
  readonly meta: Map<string, string>;
  title: string | null;
  base: string | null;
  icon: string | null;
}

/**
 * Reads Open Graph, Twitter and plain HTML metadata.
 * @param url where the page came from; addresses in it are relative to that, or to its base element
 */
export async function readMetadata(html: string, url: URL): Promise<Preview> {
  const { meta, title, base, icon } = await collect(html);
  const first = (...names: string[]) => names.map((name) => meta.get(name)).find(Boolean) ?? "";
  const root = base !== null && URL.canParse(base, url) ? new URL(base, url) : url;
  const image = first("og:image:secure_url", "og:image", "og:image:url", "twitter:image");
  return {
    title: plain(first("og:title", "twitter:title") || (title ?? ""), limits.title),
    description: plain(first("og:description", "twitter:description", "description"), limits.description),
    image: absolute(image, root),
    siteName: plain(first("og:site_name"), limits.siteName),
    favicon: absolute(icon ?? "", root),
    // Where it came from, and not og:url: a page could give itself out as another.
    url: absolute(url.href, url),
  };
}

async function collect(html: string): Promise<Found> {
  const found: Found = { meta: new Map(), title: null, base: null, icon: null };
  let inTitle = false;
  const parser = boundedParser({
    onopentag(tag, attributes) {
      inTitle = tag === "title" && found.title === null;
      if (inTitle) found.title = "";
      if (tag === "base") found.base ??= attributes.href ?? null;
      if (tag === "link" && /(^|\s)icon(\s|$)/i.test(attributes.rel ?? ""))
        found.icon ??= attributes.href ?? null;
      if (tag === "meta") {
        const name = (attributes.property ?? attributes.name ?? "").trim().toLowerCase();
        if (name && attributes.content && !found.meta.has(name)) found.meta.set(name, attributes.content);
      }
    },
    ontext(text) {
      if (inTitle) found.title += text;
    },
    onclosetag(tag) {
      if (tag === "title") inTitle = false;
    },
  });
  try {
    await parseInSlices(parser, html);
  } catch (error) {
    // What a page says of itself stands above whatever is nested so deeply.
    if (!(error instanceof TooDeep)) throw error;
  }
  return found;
}

/** Control characters, and those that turn the direction of what follows them. */
const invisible = /[\s\p{Cc}\p{Surrogate}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** One line of text; whatever looks like markup in it stays text. */
function plain(text: string, max: number): string {
  return shorten(text.replace(invisible, " ").trim(), max);
}

/** An address as readers may follow it, or nothing. */
function absolute(address: string, base: URL): string {
  const text = address.trim();
  if (text === "" || !URL.canParse(text, base)) return "";
  const url = new URL(text, base);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return "";
  return url.href.length > limits.address ? "" : url.href;
}
