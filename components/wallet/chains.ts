import { type Chain, defineChain } from "viem";
import type { PublicChain } from "@/components/proof/config";

/** A configured chain as viem and wagmi take it. */
export function viemChain(chain: PublicChain): Chain {
  return defineChain({
    id: chain.id,
    name: chain.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [chain.publicRpcUrl] } },
    blockExplorers: chain.explorerUrl ? { default: { name: "Explorer", url: chain.explorerUrl } } : undefined,
  });
}
