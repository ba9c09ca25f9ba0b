import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { Changes } from "@/lib/runtime/changes";

/** Texts and their compressed copies. */
const MAX_BYTES = 32 * 2 ** 20;
/** Changes by time alone, such as the end of a poll, and those that no message told of, show after this long. */
const MAX_AGE_MS = 10_000;

const compress = promisify(gzip);

/** A serialized answer that many requests may get. It is compressed once. */
export class SharedText {
  readonly kind = "shared text";
  readonly text: string;
  #gzipped: Promise<Buffer> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  gzipped(): Promise<Buffer> {
    this.#gzipped ??= compress(this.text);
    return this.#gzipped;
  }
}

/** How often a cache had what was asked for, since the start. */
export interface CacheReads {
  hit: number;
  miss: number;
}

/**
 * Returns whether a body is a SharedText. Does not use `instanceof`: with `npm run dev`, routes and the start each have a
 * copy of this module.
 */
export function isSharedText(value: unknown): value is SharedText {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "shared text";
}

interface Kept {
  /** Number of the last change it shows. */
  readonly change: number;
  readonly text: Promise<SharedText>;
}

/** What an answer depends on. */
interface Asked {
  /** Operation and input. */
  readonly key: string;
  /** The post it shows; undefined for lists. */
  readonly postId: string | undefined;
}

/**
 * Keeps answers of operations that are the same for all guests (`sameForGuests`) until something changed that they may
 * show (lib/runtime/changes.ts). Keeps nothing in a process that does not follow the changes of others.
 */
export class GuestAnswers {
  readonly #changes: Pick<Changes, "isFollowing" | "latest">;
  readonly #kept: LRUCache<string, Kept>;
  readonly reads: CacheReads = { hit: 0, miss: 0 };

  constructor(
    changes: Pick<Changes, "isFollowing" | "latest">,
    { maxBytes = MAX_BYTES, maxAgeMs = MAX_AGE_MS } = {},
  ) {
    this.#changes = changes;
    this.#kept = new LRUCache({ maxSize: maxBytes, ttl: maxAgeMs });
  }

  /** Returns an answer as of now. `make` serializes a new one; requests that come meanwhile get the same. */
  async read({ key, postId }: Asked, make: () => Promise<string>): Promise<SharedText> {
    if (!this.#changes.isFollowing) return new SharedText(await make());
    const change = this.#changes.latest(postId);
    const known = this.#kept.get(key);
    if (known && known.change >= change) {
      this.reads.hit += 1;
      return await known.text;
    }
    this.reads.miss += 1;
    const kept: Kept = { change, text: make().then((text) => new SharedText(text)) };
    this.#kept.set(key, kept, { size: key.length });
    try {
      const made = await kept.text;
      // Its size is known now. A compressed copy is smaller than the text. Setting the same object would not count it.
      const size = key.length + 2 * made.text.length;
      if (this.#kept.peek(key) === kept) this.#kept.set(key, { ...kept }, { size, noUpdateTTL: true });
      return made;
    } catch (error) {
      if (this.#kept.peek(key) === kept) this.#kept.delete(key);
      throw error;
    }
  }
}
