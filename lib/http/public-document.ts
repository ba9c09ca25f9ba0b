import { createHash } from "node:crypto";
import type { Context } from "@/lib/context";
import { errors } from "@/lib/contract/errors";
import { isRefusal } from "@/lib/errors";
import { log } from "@/lib/log";
import { getServices } from "@/lib/runtime/services";
import { makeContext } from "./context";
import type { RouteHandler } from "./endpoint";
import { countRequest, RateLimited } from "./rate-limit";

/** Something for machines that anybody may have: a feed, a sitemap, a picture for link previews. */
export interface PublicDocument {
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** When what it tells last changed. */
  readonly modified?: Date;
  /** Seconds anybody may keep it without asking; 0 for not at all. */
  readonly seconds: number;
}

/** What a document is made from: never a session, so that one answer fits all, caches included. */
export type GuestContext = Context & { readonly caller: null };

export interface DocumentRequest {
  readonly ctx: GuestContext;
  readonly params: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: URLSearchParams;
}

/** Requests for one kind of document that an address may make in a minute. */
const limit = { points: 120, seconds: 60 };

/**
 * Binds a public document to a route. Answers 304 to whoever has it already, and one and the same 404 for whatever is
 * not there for a guest, so that nobody learns which of those things exist.
 * @param id names the kind of document in the log and the rate limit
 */
export function publicDocument(
  id: string,
  make: (asked: DocumentRequest) => Promise<PublicDocument | null>,
): RouteHandler {
  return async (request, route) => {
    try {
      const services = await getServices();
      if (services.config.rateLimits) await countRequest(services, { id, limit }, request.headers);
      const found = await make({
        ctx: { ...makeContext(services, null), caller: null },
        params: await route.params,
        query: new URL(request.url).searchParams,
      });
      return found ? answer(request, found) : plain(404, `${errors.not_found.message}\n`);
    } catch (error) {
      if (error instanceof RateLimited) {
        const headers = { ...error.headers, "retry-after": String(error.details.retryAfter) };
        return plain(429, "Too many requests.\n", headers);
      }
      if (!isRefusal(error)) log.error({ err: error, document: id }, "document failed");
      return plain(500, `${errors.internal.message}\n`);
    }
  };
}

function answer(request: Request, { contentType, body, modified, seconds }: PublicDocument): Response {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  const headers = new Headers({
    "cache-control": seconds > 0 ? `public, max-age=${seconds}` : "no-store",
    etag,
  });
  if (modified) headers.set("last-modified", modified.toUTCString());
  if (isKnown(request.headers, etag, modified)) return new Response(null, { status: 304, headers });
  for (const [name, value] of Object.entries(frame(contentType))) headers.set(name, value);
  return new Response(body, { status: 200, headers });
}

/**
 * Whether the client has this very document (RFC 9110, 13.1): by its tag, or without tags by its date. The date must
 * be the same one and not merely later: when a post is taken back, the newest that is left is an older one.
 */
function isKnown(headers: Headers, etag: string, modified: Date | undefined): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) {
    const given = tags.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
    return given.includes(etag) || given.includes("*");
  }
  return modified !== undefined && headers.get("if-modified-since") === modified.toUTCString();
}

function plain(status: number, body: string, headers: Record<string, string> = {}): Response {
  const all = { ...headers, ...frame("text/plain; charset=utf-8"), "cache-control": "no-store" };
  return new Response(body, { status, headers: all });
}

/** What keeps a browser from treating a document as anything but what it is said to be. */
function frame(contentType: string): Record<string, string> {
  return {
    "content-type": contentType,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  };
}
