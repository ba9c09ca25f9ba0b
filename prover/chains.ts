import { type Chain, createPublicClient, defineChain, type PublicClient, type Transport } from "viem";
import { chainOf, type Deployment } from "@/lib/proofs/deployment";
import { rpcTransport } from "@/lib/proofs/rpc";
import { noTracing, type Tracing, traceRpc } from "@/lib/tracing";

export type ChainClient = PublicClient<Transport, Chain>;

/**
 * Read access to the chains of a deployment, one client per chain. Without multicall: a chain may lack that contract,
 * and each read must fail on its own.
 */
export class Chains {
  readonly #clients = new Map<number, ChainClient>();

  constructor(
    readonly deployment: Deployment,
    readonly tracing: Tracing = noTracing,
  ) {}

  /** @throws Error if the deployment has no such chain */
  client(chainId: number): ChainClient {
    const known = this.#clients.get(chainId);
    if (known) return known;
    const chain = viemChain(this.deployment, chainId);
    const client = createPublicClient({
      chain,
      transport: rpcTransport(chainOf(this.deployment, chainId), {
        ...{ timeout: 10_000, retryCount: 2, trace: traceRpc(this.tracing, chainId) },
      }),
      pollingInterval: 250,
    });
    this.#clients.set(chainId, client);
    return client;
  }

  /** Whether the chain's node answers and is on that chain. */
  async isReachable(chainId: number): Promise<boolean> {
    try {
      return (await this.client(chainId).getChainId()) === chainId;
    } catch {
      return false;
    }
  }
}

/** Describes a configured chain for viem. */
export function viemChain(deployment: Deployment, chainId: number): Chain {
  const chain = chainOf(deployment, chainId);
  return defineChain({
    id: chain.id,
    name: chain.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl, ...(chain.rpcUrls ?? [])] } },
    // While viem looks for a replacement it ignores new blocks, and a quiet chain has no later one. We replace nothing.
    supportsTransactionReplacementDetection: false,
  });
}
