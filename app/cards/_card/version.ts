import { createHash } from "node:crypto";
import type { CardWords } from "./draw";

/** Changes with the looks of cards, so that nobody keeps an old one. */
const edition = "1";

/** Names what a card shows: the same words, the same name. Stands in its address, so that it may be kept for ever. */
export function cardVersion(words: CardWords): string {
  const { above, title, gate, seal, brand } = words;
  const shown = JSON.stringify([edition, above, title, gate, seal, brand]);
  return createHash("sha256").update(shown).digest("base64url").slice(0, 16);
}
