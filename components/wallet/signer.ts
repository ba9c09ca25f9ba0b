import type { Address } from "viem";
import type { PublicConfig, PublicOffer } from "@/components/proof/config";
import type { PayingWallet } from "@/lib/proofs/client/wallets";
import type { ConnectedWallet } from "./connected";
import { DEVELOPMENT_WALLET } from "./discover";

/** The account that would pay is the one with the attestation, which never pays: payments are public. */
export class PayerNotSeparateError extends Error {
  override readonly name = "PayerNotSeparateError";
}

/**
 * Connects the chosen wallet. Either kind is loaded only now.
 * @throws whatever the wallet throws when the person declines.
 */
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
  /** The account whose attestation is proven; null where the proof is of something else. */
  readonly holder: Address | null;
}

/**
 * The account that pays: the first that the wallet shares and that is not the holder's.
 * @throws PayerNotSeparateError when there is no such account.
 */
export function payerAmong(addresses: readonly Address[], { holder }: PayerChoice): Address {
  const payer = addresses.find((address) => address.toLowerCase() !== holder?.toLowerCase());
  if (payer) return payer;
  throw new PayerNotSeparateError("the wallet shares no account that was chosen to pay");
}

/**
 * The chosen wallet, ready to sign one payment.
 * @throws PayerNotSeparateError, or whatever the wallet throws when the person declines.
 */
export async function payerFor(
  choice: PayerChoice,
  offer: PublicOffer,
  config: PublicConfig,
): Promise<PayingWallet> {
  const wallet = await connectWallet(choice.walletId, config);
  return wallet.paying(payerAmong(wallet.addresses, choice), offer);
}
