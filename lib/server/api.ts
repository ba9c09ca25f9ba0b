import type { IncomingMessage, ServerResponse } from "node:http";
import type { Endpoint, RouteModule } from "@/lib/http/endpoint";
import type { PathParams } from "@/lib/http/incoming";
import { isEndpoint, routeTable } from "@/lib/http/route-table";
import { log } from "@/lib/log";
import type { RequestHandler } from "@/lib/runtime/process";
import { bodyOf, headersOf, sendReply } from "./node-answers";

/**
 * Answers requests for operations by calling their endpoints on Node's own requests and responses. Next costs more than
 * most operations do (docs/benchmarks.md), and for an event stream 70 KiB. Requests for other paths and methods remain for
 * Next, which calls the same endpoints.
 */
export function api(modules: readonly RouteModule[]): RequestHandler {
  const find = routeTable(modules);
  return (request, response) => {
    const { method = "", url = "" } = request;
    if (!/^\/api(?:[/?]|$)/.test(url)) return false;
    const [path = ""] = url.split("?", 1);
    const found = find(method, path);
    if (!found) return false;
    void answer(found.endpoint, { request, response, params: found.params });
    return true;
  };
}

/** Returns whether a route file has an operation that answers an event stream. */
export function hasEvents(module: RouteModule): boolean {
  return Object.values(module).some((handler) => isEndpoint(handler) && handler.op.events !== undefined);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: PathParams;
}

async function answer(endpoint: Endpoint, { request, response, params }: Exchange): Promise<void> {
  const { method = "GET", url = "" } = request;
  const incoming = { method, url, headers: headersOf(request), params, body: bodyOf(request) };
  try {
    await sendReply(request, response, await endpoint.reply(incoming));
  } catch (error) {
    // A client that leaves while a picture is being sent is no failure.
    if (!response.destroyed) log.error({ err: error, operation: endpoint.op.id }, "response failed");
    response.destroy();
  } finally {
    // What nobody read of a body would keep the connection from its next request.
    if (!request.complete) request.resume();
  }
}
