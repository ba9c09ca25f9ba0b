import type { PublicDocument } from "@/lib/http/public-document";
import { cardDesk } from "./cards";
import type { CardWords } from "./draw";
import { cardVersion } from "./version";
import { siteCard } from "./words";

/** Seconds under an address that names what the card shows. */
const forEver = 31_536_000;
/** Seconds under any other address. */
const shortly = 300;

/**
 * A card as an answer.
 * @param words what it says; null for the card of the site, which is the answer for whatever a guest may not see
 * @param version from the address; what it names may be kept for ever
 */
export async function cardDocument(words: CardWords | null, version: string | null): Promise<PublicDocument> {
  const contentType = "image/png";
  const own = words && (await cardDesk.card(words));
  if (own) {
    return { contentType, body: own, seconds: version === cardVersion(words) ? forEver : shortly };
  }
  // Drawn once per process, so it may always wait.
  const site = await cardDesk.card(siteCard, Number.POSITIVE_INFINITY);
  if (!site) throw new Error("a card that may always wait was refused");
  // In place of a card that could not be drawn now it must not be kept.
  return { contentType, body: site, seconds: words ? 0 : shortly };
}
