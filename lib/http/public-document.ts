import { createHash } from "node:crypto";
import type { Context } from "@/lib/context";
import { errors } from "@/lib/contract/errors";
import { isRefusal } from "@/lib/errors";
import { log } from "@/lib/log";
import { noteRequest } from "@/lib/runtime/requests";
import { getServices } from "@/lib/runtime/services";
import { makeContext } from "./context";
import { countRequest, RateLimited } from "./rate-limit";
import { paramsOf, type RouteHandler, requestIdOf } from "./reply";

/** A public document for machines: a feed, a sitemap, an image for link previews. */
export interface PublicDocument {
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly modified?: Date;
  /** Seconds anyone may cache it; 0 for not at all. */
  readonly seconds: number;
}

/** What a document is made from: never a session, so that one response fits everyone, caches included. */
export type GuestContext = Context & { readonly caller: null };

export interface DocumentRequest {
  readonly ctx: GuestContext;
  readonly params: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: URLSearchParams;
}

/** Requests for one kind of document per address and minute. */
const limit = { points: 120, seconds: 60 };

/**
 * Binds a public document to a route. Returns 304 to clients that already have it, and the same 404 for everything a
 * guest may not see, so that the response does not reveal what exists.
 * @param id of the document kind in log, metrics and rate limit
 */
export function publicDocument(
  id: string,
  make: (asked: DocumentRequest) => Promise<PublicDocument | null>,
): RouteHandler {
  return async (request, given) => {
    const startedAt = performance.now();
    const response = await respond(request, given);
    noteRequest({
      requestId: requestIdOf(request.headers),
      operation: id,
      status: response.status,
      startedAt,
    });
    return response;
  };

  async function respond(request: Request, given: Parameters<RouteHandler>[1]): Promise<Response> {
    try {
      const services = await getServices();
      if (services.config.rateLimits) await countRequest(services, { id, limit }, request.headers);
      const found = await make({
        ctx: { ...makeContext(services, null), caller: null },
        params: await paramsOf(given),
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
  }
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
 * Returns whether the client has this exact document (RFC 9110, 13.1): by its ETag, or without one by its date. The
 * date must be equal, not just later: after a post is deleted, the newest one left is older.
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

/** Headers that keep a browser from treating a document as any other type. */
function frame(contentType: string): Record<string, string> {
  return {
    "content-type": contentType,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  };
}
