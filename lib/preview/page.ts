import { createHash } from "node:crypto";
import type { Cache } from "@/lib/cache";
import { contract, type HandlerInput, type ResponseBody } from "@/lib/contract";
import { readMetadata } from "./metadata";
import type { PublicWeb, WebAnswer } from "./web";

/** Seconds a preview is kept (spec, Limits: link preview cache). */
export const previewSeconds = 3_600;
/** What a page says of itself stands at its beginning; no more of it is read. */
const maxPageBytes = 1_000_000;

type Preview = ResponseBody<typeof contract.previews.get>;

/**
 * GET /api/og: what a page says of itself. Empty strings where it says nothing; everything is plain text, and every
 * address absolute http or https.
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
  const preview = await fetchPreview(web.get(url, "text/html,application/xhtml+xml;q=0.9"));
  await cache.set(key, JSON.stringify(preview), previewSeconds);
  return preview;
}

async function fetchPreview(asked: Promise<WebAnswer>): Promise<Preview> {
  const answer = await asked;
  try {
    const isPage = /^(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(answer.contentType.trim());
    const html = isPage ? await readPage(answer) : "";
    return await readMetadata(html, answer.url);
  } finally {
    answer.close();
  }
}

/** The first megabyte of a page as text, in the character set it names. */
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
