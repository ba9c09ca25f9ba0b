import { type Address, type Chain, defineChain, type Hex } from "viem";
import type { PublicChain, PublicOffer } from "@/components/proof/config";
import type { AttestationWallet, PayingWallet } from "@/lib/proofs/client/wallets";

export interface ContractCall {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

/** A connected wallet. It signs nothing until one of these functions is used. */
export interface ConnectedWallet {
  /** Accounts that it shares, the active one first. */
  readonly addresses: readonly [Address, ...Address[]];
  /** Returns a wallet that can pay this offer from this account. */
  paying(address: Address, offer: PublicOffer): Promise<PayingWallet>;
  /** Returns a wallet that can sign statements about this account. */
  holding(address: Address): AttestationWallet;
  /** Sends a transaction and waits for its receipt. */
  transact(address: Address, call: ContractCall): Promise<{ hash: Hex; succeeded: boolean }>;
}

/** Returns a configured chain in the form that viem and wagmi need. */
export function viemChain(chain: PublicChain): Chain {
  return defineChain({
    id: chain.id,
    name: chain.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [chain.publicRpcUrl] } },
    blockExplorers: chain.explorerUrl ? { default: { name: "Explorer", url: chain.explorerUrl } } : undefined,
  });
}
