import PQueue from "p-queue";
import type { PublicDocument } from "@/lib/http/public-document";
import { type CardWords, drawCard } from "./draw";
import { cardVersion, siteCard } from "./words";

/** Drawing keeps a core busy for about a tenth of a second, so cards are drawn one at a time and few may wait. */
const MAX_WAITING = 8;
/** Cards that a process keeps, about 20 KiB each. */
const MAX_KEPT = 200;
/** Seconds to cache a card. What is hidden or deleted leaves caches within a minute; the same card is not sent twice. */
const KEPT_SECONDS = 60;
type Png = Uint8Array<ArrayBuffer>;

/** Draws each card once, one at a time. */
export class CardDesk {
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #kept = new Map<string, Promise<Png>>();
  readonly #draw: (words: CardWords) => Promise<Png>;

  constructor(draw: (words: CardWords) => Promise<Png> = drawCard) {
    this.#draw = draw;
  }

  /** Returns a card, or null when more than `maxWaiting` others are waiting. */
  async card(words: CardWords, maxWaiting = MAX_WAITING): Promise<Png | null> {
    const version = cardVersion(words);
    const kept = this.#kept.get(version);
    if (kept) {
      // Insertion order is the order of eviction: move the card to the end.
      this.#kept.delete(version);
      this.#kept.set(version, kept);
      return kept;
    }
    if (this.#queue.size >= maxWaiting) return null;
    const drawn = this.#queue.add(() => this.#draw(words), { throwOnTimeout: true });
    this.#kept.set(version, drawn);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    try {
      return await drawn;
    } catch (error) {
      this.#kept.delete(version);
      throw error;
    }
  }
}

const cardDesk = new CardDesk();

/** Answers a request for a card. @param words null for the site's card, in place of what a guest may not see */
export async function cardDocument(words: CardWords | null): Promise<PublicDocument> {
  const contentType = "image/png";
  const own = words && (await cardDesk.card(words));
  if (own) return { contentType, body: own, seconds: KEPT_SECONDS };
  // Drawn once per process, so it may always wait.
  const site = await cardDesk.card(siteCard, Number.POSITIVE_INFINITY);
  if (!site) throw new Error("could not draw the site card");
  // Caches must not keep the site's card in place of one that could not be drawn now.
  return { contentType, body: site, seconds: words ? 0 : KEPT_SECONDS };
}
