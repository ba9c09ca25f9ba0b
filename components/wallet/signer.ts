import type { Address } from "viem";
import type { PublicConfig, PublicOffer } from "@/components/proof/config";
import type { PayingWallet } from "@/lib/proofs/client/wallets";
import type { ConnectedWallet } from "./connected";
import { DEVELOPMENT_WALLET } from "./discover";

/** The chosen wallet shares only the account with the attestation, which must not pay because payments are public. */
export class PayerNotSeparateError extends Error {
  override readonly name = "PayerNotSeparateError";
}

/** Connects the chosen wallet, lazy loading its code. @throws what the wallet throws when the user declines */
export async function connectWallet(walletId: string, config: PublicConfig): Promise<ConnectedWallet> {
  if (walletId === DEVELOPMENT_WALLET && config.mode === "development") {
    const { developmentWallet } = await import("./development");
    return developmentWallet(config);
  }
  const { browserWallet } = await import("./browser");
  return browserWallet(walletId, config);
}

export interface PayerChoice {
  readonly walletId: string;
  /** The account whose attestation is proven; null for other proofs. */
  readonly holder: Address | null;
}

/** Returns the first shared account that is not the holder's, to pay. @throws PayerNotSeparateError */
export function payerAmong(addresses: readonly Address[], { holder }: PayerChoice): Address {
  const payer = addresses.find((address) => address.toLowerCase() !== holder?.toLowerCase());
  if (payer) return payer;
  throw new PayerNotSeparateError("the wallet shares no account besides the one with the attestation");
}

/** Connects the chosen wallet to pay an offer. @throws PayerNotSeparateError, or what the wallet throws */
export async function payerFor(
  choice: PayerChoice,
  offer: PublicOffer,
  config: PublicConfig,
): Promise<PayingWallet> {
  const wallet = await connectWallet(choice.walletId, config);
  return wallet.paying(payerAmong(wallet.addresses, choice), offer);
}
