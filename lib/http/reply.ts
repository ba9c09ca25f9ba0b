import { randomUUID } from "node:crypto";
import type { BinaryAnswer, ErrorBody, EventStream } from "@/lib/contract";
import { type ErrorCode, errors } from "@/lib/contract/errors";
import { isRefusal } from "@/lib/errors";
import { log } from "@/lib/log";
import { isSharedText, type SharedText } from "@/lib/runtime/guest-answers";
import { noteRequest } from "@/lib/runtime/requests";
import { isEventStream, webBody } from "./events";
import type { HeaderReader, PathParams } from "./incoming";
import { RateLimited } from "./rate-limit";

interface RouteArguments {
  /** Next passes undefined for a path without parameters, against its types. */
  readonly params?: Promise<PathParams>;
}

export type RouteHandler = (request: Request, route: RouteArguments) => Promise<Response>;

/** A response, whichever server sends it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | SharedText | BinaryAnswer["body"] | EventStream;
}

/** Returns the parameters of a request's path. */
export async function paramsOf({ params }: RouteArguments): Promise<PathParams> {
  return (await params) ?? {};
}

/** Makes a web response of a reply. */
export function webResponse({ status, headers, body }: Reply): Response {
  if (isEventStream(body)) return new Response(webBody(body), { status, headers });
  return new Response(isSharedText(body) ? body.text : body, { status, headers });
}

/** Returns the client's request id when it is safe in logs and headers, else a new one. */
export function requestIdOf(headers: HeaderReader): string {
  const given = headers.get("x-request-id");
  return given && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
}

/** Makes a route outside the contract: what it throws becomes the error body. @param name of the route in log and metrics */
export function route(
  name: string,
  answer: (request: Request, params: PathParams, requestId: string) => Promise<Response>,
): RouteHandler {
  return async (request, given) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request.headers);
    const answered = async () => await answer(request, await paramsOf(given), requestId);
    const response = await answered().catch((error: unknown) =>
      webResponse(errorReply(error, requestId, name)),
    );
    noteRequest({ requestId, operation: name, status: response.status, startedAt });
    return response;
  };
}

/**
 * Makes a JSON response, not cacheable unless `answer` sets cache-control: it depends on caller and moment.
 * @param answer headers of this response alone; a `Headers` becomes the response's own
 */
export function jsonReply(status: number, body: unknown, requestId: string, answer?: HeadersInit): Reply {
  return serializedReply(status, JSON.stringify(body), requestId, answer);
}

/** Makes a JSON response of a body that is serialized already. */
export function serializedReply(
  status: number,
  json: string | SharedText,
  requestId: string,
  answer?: HeadersInit,
): Reply {
  const headers = answer instanceof Headers ? answer : new Headers(answer);
  headers.set("content-type", "application/json; charset=utf-8");
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return { status, headers, body: json };
}

/** Makes the error response for anything a route throws. Unexpected errors appear only in the log. */
export function errorReply(
  error: unknown,
  requestId: string,
  operation: string,
  answer?: HeadersInit,
): Reply {
  const headers = new Headers(answer);
  if (!isRefusal(error)) {
    log.error({ err: error, requestId, operation }, "request failed");
    return failure(500, "internal", errors.internal.message, requestId, {}, headers);
  }
  const { code, message, status, details } = error;
  // A reader of a page chose the URL: its host must not be logged, and a stack does not help.
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
): Reply {
  const body: ErrorBody = { error, code, requestId, ...details };
  return jsonReply(status, body, requestId, headers);
}

/** Makes a response of bytes, with headers that keep a browser from treating them as any other type. */
export function binaryReply(answer: unknown, requestId: string, given: Headers): Reply {
  if (!isBinaryAnswer(answer)) throw new Error("the handler of a binary operation returned no bytes");
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers.set(name, value);
  headers.set("content-type", answer.contentType);
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
  headers.set("content-security-policy", "default-src 'none'; sandbox");
  // Other sites can neither embed our images nor use us to fetch images of others.
  headers.set("cross-origin-resource-policy", "same-origin");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return { status: 200, headers, body: answer.body };
}

/** Makes the reply of an event stream, which proxies may neither buffer nor change. */
export function eventsReply(answer: unknown, requestId: string, given: Headers): Reply {
  if (!isEventStream(answer)) throw new Error("the handler of an event operation returned no event stream");
  const headers = new Headers(given);
  headers.set("content-type", "text/event-stream; charset=utf-8");
  headers.set("cache-control", "no-cache, no-transform");
  headers.set("x-accel-buffering", "no");
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
  return { status: 200, headers, body: answer };
}

function isBinaryAnswer(value: unknown): value is BinaryAnswer {
  return typeof value === "object" && value !== null && "contentType" in value && "body" in value;
}
