import { createMcpHandler } from "@modelcontextprotocol/server";
import { createClient } from "@/lib/client";
import { Refusal } from "@/lib/errors";
import { parseJson } from "@/lib/json";
import { log } from "@/lib/log";
import { mcpServer } from "@/lib/mcp/server";
import { getServices } from "@/lib/runtime/services";
import { credentialsOf } from "@/lib/session/caller";
import { ADDRESS_HEADERS } from "./address";
import type { RouteModule } from "./endpoint";
import { readWhole } from "./input";
import { countRequest } from "./rate-limit";
import { type RouteHandler, route } from "./reply";
import { routeTable } from "./route-table";

/** Messages per address and minute; what tools call is counted by its own limits as well. */
const limit = { points: 120, seconds: 60 };
/** Of one message: the longest text that a tool takes, several times over. */
const MAX_BODY_BYTES = 524_288;

/** What the operations need of a message's headers: who calls, and from where. No cookie, so that no page acts as its visitor. */
const forwarded = ["authorization", "traceparent", ...ADDRESS_HEADERS];

/**
 * Makes the endpoint of the Model Context Protocol (Streamable HTTP, revisions 2026-07-28 and 2025-11-25), which keeps no session.
 * Tools call the same endpoints as every client, in this process: their validation, scopes, limits and marks hold.
 */
export function mcpEndpoint(modules: readonly RouteModule[]): RouteHandler {
  const send = senderOf(modules);
  return route("mcp", async (request, _, requestId) => {
    const services = await getServices();
    if (services.config.rateLimits) await countRequest(services, { id: "mcp", limit }, request.headers);
    const { from, token } = credentialsOf(request.headers);
    const { appUrl } = services.deployment.services;
    const caller = new Headers();
    for (const name of forwarded) {
      const value = request.headers.get(name);
      if (value !== null) caller.set(name, value);
    }
    const api = createClient({
      baseUrl: appUrl,
      token: () => (from === "bearer" ? (token ?? undefined) : undefined),
      fetch: async (url, init) => await send(new Request(url, init), caller),
    });
    const failed = (err: unknown) => log.error({ err, requestId }, "an MCP tool failed");
    const { url, method, headers: given } = request;
    const body = await readWhole(request, MAX_BODY_BYTES);
    // Of earlier revisions; each message in a batch would cost as much as a request, and be counted as none.
    if (Array.isArray(parseJson(body.toString()))) {
      throw new Refusal("invalid_request", { message: "Send one message at a time." });
    }
    const handler = createMcpHandler(() => mcpServer({ api, appUrl, failed }), {
      onerror: (err) => log.debug({ err }, "an MCP message was refused"),
    });
    const response = await handler.fetch(new Request(url, { method, headers: given, body }));
    const headers = new Headers(response.headers);
    headers.set("cache-control", "no-store");
    return new Response(response.body, { status: response.status, headers });
  });
}

/** Sends requests to the operations of this process. */
function senderOf(modules: readonly RouteModule[]) {
  const find = routeTable(modules);
  return async (request: Request, caller: Headers): Promise<Response> => {
    const found = find(request.method, new URL(request.url).pathname);
    if (!found) throw new Refusal("not_found");
    const headers = new Headers(request.headers);
    for (const [name, value] of caller) headers.set(name, value);
    const { endpoint, params } = found;
    return await endpoint(new Request(request, { headers }), { params: Promise.resolve(params) });
  };
}
