import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/**
 * Carries the socket's address from Node's HTTP server to the route handlers. Next hands handlers only headers and
 * keeps an x-forwarded-for that the client wrote, so that one proves nothing.
 */
const header = "x-parley-socket-address";

declare global {
  /**
   * True once a request was stamped: before that the header could be anybody's, and it stays anybody's where no server of
   * Node's takes the requests (serverless platforms).
   */
  var parleyKnowsAddresses: boolean | undefined;
}

/** Called once at start: stamps every incoming request, before Next sees it, with the address of its socket. */
export function publishSocketAddresses(): void {
  diagnostics.subscribe("http.server.request.start", stamp);
}

/** Overwrites whatever the client sent under this name. */
function stamp(message: unknown): void {
  if (!isRequestStart(message)) return;
  const { request } = message;
  request.headers[header] = request.socket.remoteAddress ?? "";
  globalThis.parleyKnowsAddresses = true;
}

function isRequestStart(message: unknown): message is { request: IncomingMessage } {
  return typeof message === "object" && message !== null && "request" in message;
}

/**
 * The address a request came from, for rate limits: the socket's, or behind `trustedProxies` proxies the entry of
 * x-forwarded-for that the outermost of them wrote. "unknown" when neither is available; those share one limit.
 */
export function addressOf(headers: Headers, trustedProxies: number): string {
  if (trustedProxies > 0) {
    const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
    return network(hops.at(-trustedProxies) || "unknown");
  }
  return network((globalThis.parleyKnowsAddresses && headers.get(header)) || "unknown");
}

/** One household has a whole IPv6 /64 to choose addresses from, so that is what a limit counts. */
function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain.slice(0, 64);
  const [head = "", tail] = plain.split("%", 1)[0]?.toLowerCase().split("::") ?? [];
  const groups = head.split(":").filter(Boolean);
  if (tail !== undefined) {
    const rest = tail.split(":").filter(Boolean).length;
    while (groups.length + rest < 8 && groups.length < 4) groups.push("0");
  }
  return `${groups
    .slice(0, 4)
    .map((g) => g.replace(/^0+(?=.)/, ""))
    .join(":")
    .slice(0, 40)}::/64`;
}
