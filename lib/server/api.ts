import type { IncomingMessage, ServerResponse } from "node:http";
import type { Endpoint, RouteModule } from "@/lib/http/endpoint";
import type { PathParams } from "@/lib/http/incoming";
import { log } from "@/lib/log";
import type { RequestHandler } from "@/lib/runtime/process";
import { bodyOf, headersOf, sendReply } from "./node-answers";

interface Route {
  readonly segments: readonly Segment[];
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}
type Segment = { readonly text: string } | { readonly parameter: string };

/**
 * Answers requests for operations by calling their endpoints on Node's own requests and responses. Next costs more than
 * most operations do (docs/benchmarks.md), and for an event stream 70 KiB. Requests for other paths and methods remain for
 * Next, which calls the same endpoints.
 */
export function api(modules: readonly RouteModule[]): RequestHandler {
  const byLength = new Map<number, Route[]>();
  for (const route of modules.map(routeOf).sort(byParameters)) {
    const { length } = route.segments;
    byLength.set(length, [...(byLength.get(length) ?? []), route]);
  }
  return (request, response) => {
    const { method = "", url = "" } = request;
    if (!/^\/api(?:[/?]|$)/.test(url)) return false;
    const [path = ""] = url.split("?", 1);
    const given = path.slice(1).split("/");
    for (const { segments, endpoints } of byLength.get(given.length) ?? []) {
      const params = matched(segments, given);
      if (!params) continue;
      const endpoint = endpoints.get(method === "HEAD" ? "GET" : method);
      if (!endpoint) return false;
      void answer(endpoint, { request, response, params });
      return true;
    }
    return false;
  };
}

function routeOf(module: RouteModule): Route {
  const endpoints = Object.values(module).filter((handler) => isEndpoint(handler));
  const [first] = endpoints;
  if (!first) throw new Error("a route file has no operation");
  const segments = first.op.path.slice(1).split("/").map(segmentOf);
  return { segments, endpoints: new Map(endpoints.map((endpoint) => [endpoint.op.method, endpoint])) };
}

/** Returns whether a route file has an operation that answers an event stream. */
export function hasEvents(module: RouteModule): boolean {
  return Object.values(module).some((handler) => isEndpoint(handler) && handler.op.events !== undefined);
}

function isEndpoint(handler: unknown): handler is Endpoint {
  return typeof handler === "function" && "op" in handler && "reply" in handler;
}

function segmentOf(text: string): Segment {
  const parameter = /^\{(\w+)\}$/.exec(text)?.[1];
  return parameter ? { parameter } : { text };
}

/** Fixed segments come before parameters, as in Next. */
function byParameters(a: Route, b: Route): number {
  const rank = ({ segments }: Route) => segments.map((segment) => ("text" in segment ? 0 : 1)).join("");
  return rank(a) < rank(b) ? -1 : 1;
}

/** @returns the decoded parameters, or null for another path; the request guard refuses undecodable paths */
function matched(segments: readonly Segment[], given: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? "";
    if ("text" in segment) {
      if (segment.text !== value) return null;
    } else if (value === "") return null;
    else params[segment.parameter] = decodeURIComponent(value);
  }
  return params;
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
