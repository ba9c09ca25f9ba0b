import { Refusal } from "@/lib/errors";
import type { RouteHandler } from "./endpoint";
import { errorReply, nothingHere, requestIdOf } from "./reply";

export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/**
 * The methods a path does not know, answered with 405 and the error body (Next's own answer has none).
 *
 * @example export const { GET, PUT, PATCH, DELETE } = methodsBesides("POST");
 */
export function methodsBesides<const M extends Method>(
  ...known: M[]
): Record<Exclude<Method, M>, RouteHandler> {
  // RFC 9110, 15.5.6: Allow lists what the path does know. Next answers HEAD with GET's headers.
  const allow = known.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  const refuse: RouteHandler = async (request) => {
    const error = new Refusal("method_not_allowed", {
      message: `${request.method} is not allowed here. Allowed methods: ${allow}.`,
    });
    return errorReply(error, requestIdOf(request.headers), "none", { allow });
  };
  const all: Record<Method, RouteHandler> = {
    GET: refuse,
    POST: refuse,
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
  };
  return all;
}

/** Answers any method of a path that does not exist. */
export const notFound: RouteHandler = async (request) =>
  errorReply(nothingHere(), requestIdOf(request.headers), "none");
