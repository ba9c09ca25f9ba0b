import { createHash } from "node:crypto";
import type { Cache } from "@/lib/cache";
import { contract, type HandlerInput, type ResponseBody } from "@/lib/contract";
import { boundedParser, parseInSlices, shorten, TooDeep } from "@/lib/html";
import type { PublicWeb, WebAnswer } from "./web";

/** Seconds that a preview is cached (spec, Limits: link preview cache). */
export const previewSeconds = 3_600;
/** Maximum bytes to read of a page: its metadata is at the beginning. */
const maxPageBytes = 1_000_000;

type Preview = ResponseBody<typeof contract.previews.get>;

/**
 * GET /api/og: a page's metadata. Missing values are empty strings. Texts are plain, and URLs are absolute http or
 * https.
 * @throws Refusal address_not_allowed, upstream_failed
 */
export async function getPreview(
  { web, cache }: { readonly web: PublicWeb; readonly cache: Cache },
  input: HandlerInput<typeof contract.previews.get>,
): Promise<Preview> {
  const url = web.read(input.url, "url");
  const key = `preview:${createHash("sha256").update(url.href).digest("hex")}`;
  const kept = await cache.get(key);
  if (kept !== null) return contract.previews.get.responses[200].parse(JSON.parse(kept));
  const preview = await fetchPreview(web, url);
  await cache.set(key, JSON.stringify(preview), previewSeconds);
  return preview;
}

async function fetchPreview(web: PublicWeb, url: URL): Promise<Preview> {
  const answer = await web.get(url, "text/html,application/xhtml+xml;q=0.9");
  try {
    const isPage = /^(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(answer.contentType.trim());
    const html = isPage ? await readPage(answer) : "";
    return await readMetadata(html, answer.url);
  } finally {
    answer.close();
  }
}

/** Reads the first megabyte of a page as text, in its declared character set. */
async function readPage({ body, contentType }: WebAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxPageBytes) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, maxPageBytes);
  const charset = /charset\s*=\s*["']?([\w:-]+)/i;
  const named =
    charset.exec(contentType)?.[1] ??
    charset.exec(bytes.subarray(0, 1024).toString("latin1"))?.[1] ??
    "utf-8";
  return decoder(named).decode(bytes);
}

function decoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** Maximum characters of texts and URLs in a preview. */
const limits = { title: 300, description: 1_000, siteName: 100, address: 2_000 } as const;

/** Metadata in a page's markup; the first of each kind counts. */
interface Found {
  readonly meta: Map<string, string>;
  title: string | null;
  base: string | null;
  icon: string | null;
}

/**
 * Reads Open Graph, Twitter and plain HTML metadata.
 * @param url the page's URL; URLs in the page are relative to it or to the base element
 */
async function readMetadata(html: string, url: URL): Promise<Preview> {
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
    // Not og:url, which could impersonate another page.
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
    // Metadata comes before such deeply nested content.
    if (!(error instanceof TooDeep)) throw error;
  }
  return found;
}

/** White space, control characters, and those that change text direction. */
const invisible = /[\s\p{Cc}\p{Surrogate}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns one line of plain text. */
function plain(text: string, max: number): string {
  return shorten(text.replace(invisible, " ").trim(), max);
}

/** Returns an absolute http or https URL without credentials, or an empty string. */
function absolute(address: string, base: URL): string {
  const text = address.trim();
  if (text === "" || !URL.canParse(text, base)) return "";
  const url = new URL(text, base);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return "";
  return url.href.length > limits.address ? "" : url.href;
}
