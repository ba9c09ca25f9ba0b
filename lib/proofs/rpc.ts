import { fallback, http, type Transport } from "viem";
import type { Chain } from "./deployment";

/** Runs a request to a node as a part of a trace. @param method of JSON-RPC */
export type TraceRpc = <T>(method: string, request: () => Promise<T>) => Promise<T>;

/** Per node. */
export interface RpcOptions {
  /** Milliseconds. */
  readonly timeout: number;
  readonly retryCount: number;
  readonly trace?: TraceRpc;
}

/**
 * Returns a transport that uses the chain's first node and falls back to the next one on failure.
 */
export function rpcTransport(
  { rpcUrl, rpcUrls = [] }: Pick<Chain, "rpcUrl" | "rpcUrls">,
  { timeout, retryCount, trace }: RpcOptions,
): Transport {
  const fetchFn: typeof fetch | undefined =
    trace && ((input, init) => trace(methodOf(init?.body), () => fetch(input, init)));
  const nodes = [rpcUrl, ...rpcUrls].map((url) => http(url, { timeout, retryCount, fetchFn }));
  const [only] = nodes;
  return only && nodes.length === 1 ? only : fallback(nodes, { retryCount: 0 });
}

/** Returns the method of a request's body, as viem writes it. */
function methodOf(body: unknown): string {
  return (typeof body === "string" && /"method":"(\w+)"/.exec(body)?.[1]) || "unknown";
}
