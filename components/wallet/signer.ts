import type { PublicConfig, PublicOffer } from "@/components/proof/config";
import type { PayingWallet } from "@/lib/proofs/client";
import { DEVELOPMENT_WALLET } from "./discover";

/**
 * The chosen wallet, ready to sign one payment. Either kind is loaded only now.
 * @throws whatever the wallet throws when the person declines.
 */
export async function signerFor(
  walletId: string,
  offer: PublicOffer,
  config: PublicConfig,
): Promise<PayingWallet> {
  if (walletId === DEVELOPMENT_WALLET && config.mode === "development") {
    const { developmentWallet } = await import("./development");
    return developmentWallet(offer, config);
  }
  const { browserWallet } = await import("./browser");
  return browserWallet(walletId, offer, config);
}
