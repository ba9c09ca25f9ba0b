import type { Endpoint, RouteModule } from "./endpoint";
import type { PathParams } from "./incoming";

interface Route {
  readonly segments: readonly Segment[];
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}
type Segment = { readonly text: string } | { readonly parameter: string };

export interface FoundOperation {
  readonly endpoint: Endpoint;
  readonly params: PathParams;
}

/**
 * Makes what finds the operation of a request, as Next does for route files.
 * @returns a function of the method and of the path without query; it returns null where no operation answers
 */
export function routeTable(
  modules: readonly RouteModule[],
): (method: string, path: string) => FoundOperation | null {
  const byLength = new Map<number, Route[]>();
  for (const route of modules.map(routeOf).sort(byParameters)) {
    const { length } = route.segments;
    byLength.set(length, [...(byLength.get(length) ?? []), route]);
  }
  return (method, path) => {
    const given = path.slice(1).split("/");
    for (const { segments, endpoints } of byLength.get(given.length) ?? []) {
      const params = matched(segments, given);
      if (!params) continue;
      const endpoint = endpoints.get(method === "HEAD" ? "GET" : method);
      return endpoint ? { endpoint, params } : null;
    }
    return null;
  };
}

export function isEndpoint(handler: unknown): handler is Endpoint {
  return typeof handler === "function" && "op" in handler && "reply" in handler;
}

function routeOf(module: RouteModule): Route {
  const endpoints = Object.values(module).filter((handler) => isEndpoint(handler));
  const [first] = endpoints;
  if (!first) throw new Error("a route file has no operation");
  const segments = first.op.path.slice(1).split("/").map(segmentOf);
  return { segments, endpoints: new Map(endpoints.map((endpoint) => [endpoint.op.method, endpoint])) };
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
