/** Increase the number when the format changes. */
const CACHE_NAME = "parley-proving-1";
const DIGEST_HEADER = "x-sha256";

/** A cache for what is slow to get or make and the same for everyone: the ceremony's points and the circuits' keys. */
export interface ProvingStore {
  /** Returns the bytes under a name; null when there are none or they are damaged. */
  read(name: string): Promise<Uint8Array | null>;
  write(name: string, bytes: Uint8Array): Promise<void>;
  names(prefix: string): Promise<readonly string[]>;
}

/** Returns the SHA-256 digest in hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const addressOf = (name: string) => new URL(`/proving/kept/${name}`, location.origin);

async function open(): Promise<Cache | null> {
  return await globalThis.caches?.open(CACHE_NAME).catch(() => null);
}

/** The store in this browser's Cache API. Its functions never throw: without a cache, proofs only take longer. */
export const browserStore: ProvingStore = {
  async read(name) {
    const cache = await open();
    const kept = await cache?.match(addressOf(name)).catch(() => undefined);
    if (!kept) return null;
    const bytes = new Uint8Array(await kept.arrayBuffer());
    // Storage can get corrupted, and Barretenberg does not detect a wrong point.
    if ((await sha256(bytes)) === kept.headers.get(DIGEST_HEADER)) return bytes;
    await cache?.delete(addressOf(name)).catch(() => false);
    return null;
  },
  async write(name, bytes) {
    const cache = await open();
    const response = new Response(new Uint8Array(bytes), {
      headers: { [DIGEST_HEADER]: await sha256(bytes) },
    });
    // With full storage, the next proof fetches it again.
    await cache?.put(addressOf(name), response).catch(() => undefined);
  },
  async names(prefix) {
    const cache = await open();
    const requests = (await cache?.keys().catch(() => [])) ?? [];
    const start = addressOf(prefix).pathname;
    return requests
      .map(({ url }) => new URL(url).pathname)
      .filter((path) => path.startsWith(start))
      .map((path) => path.slice(addressOf("").pathname.length));
  },
};
