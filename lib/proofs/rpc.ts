import { fallback, http, type Transport } from "viem";
import type { Chain } from "./deployment";

/**
 * Returns a transport that uses the chain's first node and falls back to the next one on failure.
 * @param options `timeout` in milliseconds and `retryCount`, both per node
 */
export function rpcTransport(
  { rpcUrl, rpcUrls = [] }: Pick<Chain, "rpcUrl" | "rpcUrls">,
  options: { timeout: number; retryCount: number },
): Transport {
  const nodes = [rpcUrl, ...rpcUrls].map((url) => http(url, options));
  const [only] = nodes;
  return only && nodes.length === 1 ? only : fallback(nodes, { retryCount: 0 });
}
