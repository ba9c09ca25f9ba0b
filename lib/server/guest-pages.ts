import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { type GuestPage, type GuestRequest, guestPageOf, noteGuestView } from "@/lib/http/guest-page";
import type { HeaderReader } from "@/lib/http/incoming";
import { limitPage } from "@/lib/http/page-limits";
import { type PolicySources, pagePolicy } from "@/lib/http/page-policy";
import { type Reply, requestIdOf } from "@/lib/http/reply";
import { log } from "@/lib/log";
import type { Services } from "@/lib/runtime/assemble";
import type { EntryServer, RenderedPage, RequestHandler } from "@/lib/runtime/process";
import { noteRequest } from "@/lib/runtime/requests";
import { headersOf, sendReply } from "./node-answers";

/** HTML and its compressed copies. */
const MAX_BYTES = 64 * 2 ** 20;
const MAX_AGE_MS = 10_000;
/** A page that changes all the time is rendered this often at once, and per second from then on. */
const BURST = 5;
const PER_SECOND = 2;
/** Caches between us and readers keep pages for a second; browsers ask each time whether theirs is current. */
const CACHE_CONTROL = "public, max-age=0, s-maxage=1, must-revalidate";
/** What a page depends on, besides what Next names. */
const VARY = "Cookie, Accept-Language, Accept-Encoding";

interface Page {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly vary: string;
  readonly html: Buffer;
  readonly etag: string;
  /** Number of the last change it shows. */
  readonly change: number;
  /** By `performance.now()`. */
  readonly renderedAt: number;
  readonly compressed: Map<Encoding, Promise<Buffer>>;
}

/** What is known of one page. */
interface Slot {
  page?: Page;
  rendering?: { readonly change: number; readonly page: Promise<Page> };
  /** Renders it may take now, and when that was counted. */
  allowed: number;
  countedAt: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface GuestPageParts {
  readonly services: Services;
  readonly render: EntryServer["render"];
  /** Changes by time alone, such as the end of a poll, and those that no message told of, show after this long. */
  readonly maxAgeMs?: number;
  /** Of memory for pages. */
  readonly maxBytes?: number;
}

/**
 * Answers guests with pages from memory. A page is rendered again once something changed that it may show
 * (lib/runtime/changes.ts). While it changes all the time, a version up to half a second old is served.
 *
 * A cached page cannot have nonces, so its CSP names its inline scripts by hash. Only requests that render count against
 * the rate limit of pages: the others cost as little as static files.
 */
export async function guestPages({
  services,
  render,
  maxAgeMs = MAX_AGE_MS,
  maxBytes = MAX_BYTES,
}: GuestPageParts): Promise<RequestHandler> {
  const { changes, deployment } = services;
  await changes.follow();
  const { host } = new URL(deployment.services.appUrl);
  const sources = { deployment, storageUrl: services.config.storageUrl, development: false };
  const slots = new LRUCache<string, Slot>({ maxSize: maxBytes });

  function slotOf(key: string): Slot {
    const known = slots.get(key);
    if (known) return known;
    const slot: Slot = { allowed: BURST, countedAt: performance.now() };
    slots.set(key, slot, { size: sizeOf(slot) });
    return slot;
  }

  /** Returns the page as of now, or at most a little older while it changes all the time; a refusal when limited. */
  async function read(page: GuestPage, headers: HeaderReader): Promise<Page | Reply> {
    const key = `${page.cookie} ${page.url}`;
    const change = changes.latest(page.postId);
    const slot = slotOf(key);
    const known = slot.page;
    const isCurrentPage = known && known.change >= change && performance.now() - known.renderedAt < maxAgeMs;
    if (known && (isCurrentPage || !mayRender(slot))) {
      services.pageReads.hit += 1;
      return known;
    }
    services.pageReads.miss += 1;
    if (!onItsWay(slot, change)) {
      const refused = await limitPage(new URL(page.url, "http://localhost"), headers, services);
      if (refused) return refused;
    }
    // Another request may have started it meanwhile.
    return await (onItsWay(slot, change) ?? start(page, change, slot, key));
  }

  function start(page: GuestPage, change: number, slot: Slot, key: string): Promise<Page> {
    slot.allowed -= 1;
    const made = render(page.url, { host, cookie: page.cookie })
      .then((rendered) => {
        const fresh = pageOf(rendered, change, sources);
        if (fresh.status === 200 && (slot.page?.change ?? 0) <= change) slot.page = fresh;
        return fresh;
      })
      .finally(() => {
        if (slot.rendering?.page === made) slot.rendering = undefined;
        // Setting the same object again would not count its new size.
        slots.delete(key);
        if (slot.page) slots.set(key, slot, { size: sizeOf(slot) });
      });
    slot.rendering = { change, page: made };
    return made;
  }

  async function answer(
    page: GuestPage,
    asked: GuestRequest,
    { request, response }: Exchange,
  ): Promise<void> {
    const found = await read(page, asked.headers);
    if (!("etag" in found)) return await sendReply(request, response, found);
    await sendPage(request, response, found);
    if (found.status === 200) noteGuestView(page, asked, services);
  }

  return (request, response) => {
    const { method = "", url = "" } = request;
    const startedAt = performance.now();
    const asked = { method, url, headers: headersOf(request) };
    const page = guestPageOf(asked);
    if (!page) return false;
    const requestId = requestIdOf(asked.headers);
    // A refusal and its line in the log have the same id.
    request.headers["x-request-id"] = requestId;
    response.once("close", () =>
      noteRequest({ requestId, operation: "page", status: response.statusCode, startedAt }),
    );
    answer(page, asked, { request, response }).catch((error: unknown) => {
      log.error({ err: error, requestId, path: url.split("?", 1)[0] }, "guest page failed");
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
    return true;
  };
}

/** Returns whether a page may be rendered once more now. */
function mayRender(slot: Slot): boolean {
  const now = performance.now();
  slot.allowed = Math.min(BURST, slot.allowed + ((now - slot.countedAt) * PER_SECOND) / 1000);
  slot.countedAt = now;
  return slot.allowed >= 1;
}

/** Returns the page that is being rendered, if it will show this change. */
function onItsWay({ rendering }: Slot, change: number): Promise<Page> | undefined {
  return rendering && rendering.change >= change ? rendering.page : undefined;
}

function sizeOf({ page }: Slot): number {
  // The compressed copies together are smaller than the page.
  return 1_000 + 2 * (page?.html.length ?? 0);
}

/** Scripts without attributes that follow one another, as Next writes them. */
const ADJACENT_SCRIPTS = /(?:<script>(?:(?!<\/script>)[\s\S])*<\/script>){2,}/g;
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
/** Headers that the cache sets itself, or that belong to the connection to Next. */
const NOT_KEPT = new Set([
  "cache-control",
  "connection",
  "content-length",
  "date",
  "etag",
  "keep-alive",
  "transfer-encoding",
  "vary",
]);

function pageOf({ status, headers, body }: RenderedPage, change: number, sources: PolicySources): Page {
  if (headers["set-cookie"]) throw new Error("a page for guests sets a cookie");
  // Joined, so that the CSP names fewer hashes: proxies limit the size of a response's headers.
  const html = body
    .toString()
    .replace(ADJACENT_SCRIPTS, (scripts) => scripts.replaceAll("</script><script>", ";"));
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(([, script = ""]) => `sha256-${digest(script)}`);
  const policy = pagePolicy({ hashes: [...new Set(hashes)] }, sources);
  return {
    status,
    headers: [...keptHeaders(headers), ["content-security-policy", policy]],
    vary: headers.vary ? `${headers.vary}, ${VARY}` : VARY,
    html: Buffer.from(html),
    etag: Buffer.from(digest(html), "base64").toString("base64url").slice(0, 22),
    change,
    renderedAt: performance.now(),
    compressed: new Map(),
  };
}

function keptHeaders(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    NOT_KEPT.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

/** The best first. */
const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];
const [brotliAsync, gzipAsync] = [promisify(brotliCompress), promisify(gzip)];
/** Half of the best compression's time is saved for a hundredth of its size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

async function encoded({ html, compressed }: Page, encoding: Encoding | undefined): Promise<Buffer> {
  if (!encoding) return html;
  const known = compressed.get(encoding);
  if (known) return await known;
  const made = encoding === "br" ? brotliAsync(html, BROTLI) : gzipAsync(html);
  compressed.set(encoding, made);
  return await made;
}

async function sendPage(request: IncomingMessage, response: ServerResponse, page: Page): Promise<void> {
  const accepted = new Negotiator(request).encodings(encodings);
  const encoding = encodings.find((one) => accepted.includes(one));
  const etag = `"${page.etag}-${encoding ?? "plain"}"`;
  const isKept = page.status === 200;
  response.setHeader("cache-control", isKept ? CACHE_CONTROL : "no-store");
  response.setHeader("vary", page.vary);
  if (isKept) response.setHeader("etag", etag);
  if (isKept && isCurrent(request.headers["if-none-match"], etag)) {
    response.writeHead(304).end();
    return;
  }
  const body = await encoded(page, encoding);
  for (const [name, value] of page.headers) response.setHeader(name, value);
  if (encoding) response.setHeader("content-encoding", encoding);
  response.writeHead(page.status, { "content-length": body.length });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Returns whether a client has this version (RFC 9110, 13.1.2). */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(",").some((one) => one.trim().replace(/^W\//, "") === etag) ?? false;
}
