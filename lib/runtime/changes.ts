import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Cache, Unsubscribe } from "@/lib/cache";
import type { Changed } from "@/lib/context";
import { log } from "@/lib/log";

const CHANNEL = "changes";
/** Processes tell each other of changes at most this often. */
const BATCH_MS = 50;
/** Ids in one message of the cache. */
const MAX_TOLD = 100;
/** Posts whose changes are told apart. */
const MAX_POSTS = 10_000;

const message = z.object({
  /** The process that sends it. */
  from: z.string(),
  /** The posts that changed; null for everything. */
  posts: z.array(z.string()).nullable(),
});

/**
 * Numbers the changes of what guests read, so that each process knows which of its cached pages are current
 * (lib/server/guest-pages.ts). A process learns of others' changes by the cache, which may lose messages: pages must
 * also expire.
 */
export class Changes {
  readonly #cache: Cache;
  readonly #id = randomUUID();
  #count = 0;
  #everything = 0;
  readonly #posts = new Map<string, number>();
  /** What other processes have not been told; null for everything. */
  #untold: Set<string> | null = new Set();
  #telling: NodeJS.Timeout | undefined;
  #isFollowing = false;

  constructor(cache: Cache) {
    this.#cache = cache;
  }

  /** Returns the number of the latest change of a post's page, or of any page. */
  latest(postId?: string): number {
    return postId === undefined ? this.#count : Math.max(this.#everything, this.#posts.get(postId) ?? 0);
  }

  /** Notes a change that this process committed, and tells the others. */
  note(changed: Changed): void {
    this.#apply(changed);
    if (changed === "everything") this.#untold = null;
    else this.#untold?.add(changed === "lists" ? "" : changed.postId);
    this.#telling ??= setTimeout(() => void this.#tell(), BATCH_MS).unref();
  }

  /** Tells the other processes of the last changes. Call it before the cache closes. */
  async close(): Promise<void> {
    if (this.#telling === undefined) return;
    clearTimeout(this.#telling);
    await this.#tell();
  }

  /** Whether this process learns of the changes of others. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Learns of the changes of other processes from now on. */
  async follow(): Promise<Unsubscribe> {
    const unsubscribe = await this.#cache.subscribe(
      CHANNEL,
      (text) => {
        const { from, posts } = message.parse(JSON.parse(text));
        if (from === this.#id) return;
        if (posts === null) this.#apply("everything");
        for (const postId of posts ?? []) this.#apply(postId === "" ? "lists" : { postId });
      },
      () => this.#apply("everything"),
    );
    this.#isFollowing = true;
    return async () => {
      this.#isFollowing = false;
      await unsubscribe();
    };
  }

  #apply(changed: Changed): void {
    this.#count += 1;
    if (changed === "lists") return;
    if (changed !== "everything" && this.#posts.size < MAX_POSTS) {
      this.#posts.set(changed.postId, this.#count);
      return;
    }
    this.#everything = this.#count;
    this.#posts.clear();
  }

  async #tell(): Promise<void> {
    this.#telling = undefined;
    const posts = this.#untold && this.#untold.size <= MAX_TOLD ? [...this.#untold] : null;
    this.#untold = new Set();
    const text = JSON.stringify({ from: this.#id, posts } satisfies z.infer<typeof message>);
    try {
      await this.#cache.publish(CHANNEL, text);
    } catch (error) {
      log.warn({ err: error }, "could not tell other processes of changes");
    }
  }
}
