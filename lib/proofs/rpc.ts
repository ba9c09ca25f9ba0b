import { fallback, http, type Transport } from "viem";
import type { Chain } from "./deployment";

/**
 * How a chain's nodes are asked: the first, and the next one whenever that fails.
 * @param timeout milliseconds for one node
 * @param retryCount how often one node is asked again before the next
 */
export function rpcTransport(
  { rpcUrl, rpcUrls = [] }: Pick<Chain, "rpcUrl" | "rpcUrls">,
  options: { timeout: number; retryCount: number },
): Transport {
  const nodes = [rpcUrl, ...rpcUrls].map((url) => http(url, options));
  const [only] = nodes;
  return only && nodes.length === 1 ? only : fallback(nodes, { retryCount: 0 });
}
