import { randomUUID } from "node:crypto";
import type { ErrorBody } from "@/lib/contract";
import { type ErrorCode, errors } from "@/lib/contract/errors";
import { isRefusal, Refusal } from "@/lib/errors";
import { log } from "@/lib/log";
import { RateLimited } from "./rate-limit";

/** The caller's own request id when it is harmless in logs and headers, else a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
}

/** Refusal for a path that leads nowhere. */
export function nothingHere(): Refusal {
  return new Refusal("not_found");
}

/** A JSON answer. Unless `answer` says otherwise it depends on the caller or the moment, and nobody may keep it. */
export function jsonReply(status: number, body: unknown, requestId: string, answer?: HeadersInit): Response {
  const headers = new Headers(answer);
  headers.set("content-type", "application/json; charset=utf-8");
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return new Response(JSON.stringify(body), { status, headers });
}

/** The error body for anything thrown below a route. What we did not throw on purpose stays in the log. */
export function errorReply(
  error: unknown,
  requestId: string,
  operation: string,
  answer?: HeadersInit,
): Response {
  const headers = new Headers(answer);
  if (!isRefusal(error)) {
    log.error({ err: error, requestId, operation }, "request failed");
    return failure(500, "internal", errors.internal.message, requestId, {}, headers);
  }
  const { code, message, status, details } = error;
  // What could not be fetched is named by the reader of a page: its host is nobody's business, and a stack helps nobody.
  if (code === "upstream_failed") log.warn({ requestId, operation, code }, "request refused");
  else if (status >= 500) log.warn({ requestId, operation, err: error }, "request refused");
  if (error instanceof RateLimited) {
    for (const [name, value] of Object.entries(error.headers)) headers.set(name, value);
  }
  if (details.retryAfter !== undefined) headers.set("retry-after", String(details.retryAfter));
  // RFC 9110, 15.5.2: a 401 says how to authenticate.
  if (status === 401) headers.set("www-authenticate", "Bearer");
  const { field, proofRequirement, extra } = details;
  return failure(status, code, message, requestId, { ...extra, field, proofRequirement }, headers);
}

function failure(
  status: number,
  code: ErrorCode,
  error: string,
  requestId: string,
  details: Pick<ErrorBody, "field" | "proofRequirement">,
  headers: Headers,
): Response {
  const body: ErrorBody = { error, code, requestId, ...details };
  return jsonReply(status, body, requestId, headers);
}
