import type { Address, Hex } from "viem";
import type { PublicOffer } from "@/components/proof/config";
import type { AttestationWallet, PayingWallet } from "@/lib/proofs/client/wallets";

/** A call of a contract, as a wallet is asked to send it. */
export interface ContractCall {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

/** A wallet that is connected. Nothing is signed until one of its parts is asked to. */
export interface ConnectedWallet {
  /** Accounts it shares, the one in use first; never empty. */
  readonly addresses: readonly [Address, ...Address[]];
  /** Ready to sign one payment of this offer from this account. */
  paying(address: Address, offer: PublicOffer): Promise<PayingWallet>;
  /** Ready to sign a statement about this account. */
  holding(address: Address): AttestationWallet;
  /** Sends a transaction and waits until it is in a block. */
  transact(address: Address, call: ContractCall): Promise<{ hash: Hex; succeeded: boolean }>;
}
