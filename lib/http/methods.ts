import { errors } from "@/lib/contract/errors";
import { Refusal } from "@/lib/errors";
import { errorReply, type RouteHandler, route, webResponse } from "./reply";

export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/** Makes handlers that refuse the methods a path does not support with the error body, which Next's own 405 lacks. */
export function methodsBesides<const M extends Method>(
  ...known: M[]
): Record<Exclude<Method, M>, RouteHandler> {
  // RFC 9110, 15.5.6: Allow lists the supported methods. Next answers HEAD with GET's headers.
  const allow = known.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  const refuse = route("other", async (request, _, requestId) => {
    const error = new Refusal("method_not_allowed", {
      message: `${request.method} is not allowed here. Allowed methods: ${allow}.`,
    });
    return webResponse(errorReply(error, requestId, "other", { allow }));
  });
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
export const notFound: RouteHandler = route("other", async () => {
  throw new Refusal("not_found", { message: `${errors.not_found.message} GET /api says what there is.` });
});
