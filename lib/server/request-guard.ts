import type { IncomingMessage } from "node:http";
import { Refusal } from "@/lib/errors";
import { errorReply, requestIdOf } from "@/lib/http/reply";
import type { RequestHandler } from "@/lib/runtime/process";
import { noteRequest } from "@/lib/runtime/requests";
import { headersOf, sendReply } from "./node-answers";

/** Supported methods; Next fails at TRACE. */
const SUPPORTED_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Makes browsers use https only, for a year (RFC 6797). */
const STRICT_TRANSPORT = "max-age=31536000";

/**
 * Answers requests that must not reach Next, with our error body and headers: unsupported methods (405), undecodable
 * paths and Next's image optimizer (404). next.config.ts disables the optimizer too; it is blocked here because it
 * bypasses rate limits and keeps copies of deleted images.
 * @param https whether all clients reach this site by https, so that browsers may be told to insist on it
 */
export function requestGuard({ https }: { readonly https: boolean }): RequestHandler {
  return (request, response) => {
    if (https) response.setHeader("strict-transport-security", STRICT_TRANSPORT);
    const refusal = refusalOf(request);
    if (!refusal) return false;
    const startedAt = performance.now();
    const requestId = requestIdOf(headersOf(request));
    const extra: Record<string, string> =
      refusal.code === "method_not_allowed" ? { allow: SUPPORTED_METHODS.join(", ") } : {};
    const reply = errorReply(refusal, requestId, "other", extra);
    void sendReply(request, response, reply);
    noteRequest({ requestId, operation: "other", status: reply.status, startedAt });
    return true;
  };
}

function refusalOf({ method = "", url = "" }: IncomingMessage): Refusal | null {
  if (!SUPPORTED_METHODS.includes(method)) {
    return new Refusal("method_not_allowed", {
      message: `${method} is not allowed here. Allowed methods: ${SUPPORTED_METHODS.join(", ")}.`,
    });
  }
  const [path = ""] = url.split("?", 1);
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return new Refusal("not_found");
  }
  return /^\/+_next\/+image(\/|$)/.test(decoded) ? new Refusal("not_found") : null;
}
