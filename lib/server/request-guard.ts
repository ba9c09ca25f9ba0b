import type { IncomingMessage } from "node:http";
import { Refusal } from "@/lib/errors";
import { errorReply, nothingHere, requestIdOf } from "@/lib/http/reply";
import type { RequestHandler } from "@/lib/runtime/process";
import { headersOf, sendReply } from "./node-answers";

/** Methods that anything here answers; Next fails at TRACE. */
const known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Browsers that have seen this ask by https only, for a year (RFC 6797). */
const strictTransport = "max-age=31536000";

/**
 * Answers what must not reach Next, with our error body and headers: methods nobody knows (405), paths that cannot be
 * decoded and Next's image optimiser (404). The optimiser is switched off as well (next.config.ts); it is stopped here
 * because it takes no part in rate limits and keeps copies of deleted pictures.
 * @param https whether everybody reaches this site by https, so that browsers may be told to insist on it
 */
export function requestGuard({ https }: { readonly https: boolean }): RequestHandler {
  return (request, response) => {
    if (https) response.setHeader("strict-transport-security", strictTransport);
    const refusal = refusalOf(request);
    if (!refusal) return false;
    const requestId = requestIdOf(headersOf(request));
    const extra: Record<string, string> =
      refusal.code === "method_not_allowed" ? { allow: known.join(", ") } : {};
    void sendReply(response, errorReply(refusal, requestId, "none", extra));
    return true;
  };
}

function refusalOf({ method = "", url = "" }: IncomingMessage): Refusal | null {
  if (!known.includes(method)) {
    return new Refusal("method_not_allowed", {
      message: `${method} is not allowed here. Allowed methods: ${known.join(", ")}.`,
    });
  }
  const [path = ""] = url.split("?", 1);
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return nothingHere();
  }
  return /^\/+_next\/+image(\/|$)/.test(decoded) ? nothingHere() : null;
}
