import type { PublicConfig } from "@/components/proof/config";
import { offerAmount } from "@/components/proof/price-tag";
import type { Words } from "@/lib/i18n/words";

/** Returns what a proof by our prover costs, as text; null if it sells none to people. */
export function priceOf(words: Words, { offers }: Pick<PublicConfig, "offers">): string | null {
  const amounts = [...new Set(offers.map((offer) => offerAmount(words, offer)))];
  return amounts.length > 0 ? amounts.join(" / ") : null;
}
