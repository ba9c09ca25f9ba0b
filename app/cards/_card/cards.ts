import PQueue from "p-queue";
import { type CardWords, drawCard } from "./draw";
import { cardVersion } from "./version";

/** Drawing takes a core for about a tenth of a second, so one is drawn at a time; more than these do not wait. */
const mayWait = 8;
/** Cards kept by a process; each has some 20 KiB. */
const mayKeep = 200;
type Png = Uint8Array<ArrayBuffer>;

/** Draws cards, each once, and never more of them at once than the machine can spare. */
export class CardDesk {
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #kept = new Map<string, Promise<Png>>();
  readonly #draw: (words: CardWords) => Promise<Png>;

  constructor(draw: (words: CardWords) => Promise<Png> = drawCard) {
    this.#draw = draw;
  }

  /**
   * The card, or null when too many others are waiting.
   * @param place how many may wait before it
   */
  async card(words: CardWords, place = mayWait): Promise<Png | null> {
    const version = cardVersion(words);
    const kept = this.#kept.get(version);
    if (kept) {
      // The one that was asked for last is forgotten last.
      this.#kept.delete(version);
      this.#kept.set(version, kept);
      return kept;
    }
    if (this.#queue.size >= place) return null;
    const drawn = this.#queue.add(() => this.#draw(words), { throwOnTimeout: true });
    this.#kept.set(version, drawn);
    this.#forgetOldest();
    try {
      return await drawn;
    } catch (error) {
      this.#kept.delete(version);
      throw error;
    }
  }

  #forgetOldest(): void {
    for (const version of this.#kept.keys()) {
      if (this.#kept.size <= mayKeep) return;
      this.#kept.delete(version);
    }
  }
}

/** The desk of this process. */
export const cardDesk = new CardDesk();
