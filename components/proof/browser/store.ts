/**
 * What is slow to get or make and the same for everybody: the ceremony's points and the keys of circuits. Kept in the
 * browser's cache storage; a browser that refuses, or has thrown it away, gets it again.
 */

/** A changed form gets a new number. */
const NAME = "parley-proving-1";
const DIGEST = "x-sha256";

export interface ProvingStore {
  /** Undamaged bytes under a name, or null. */
  read(name: string): Promise<Uint8Array | null>;
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Names that begin so. */
  names(prefix: string): Promise<readonly string[]>;
}

/** sha256 in hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const addressOf = (name: string) => new URL(`/proving/kept/${name}`, location.origin);

async function open(): Promise<Cache | null> {
  return await globalThis.caches?.open(NAME).catch(() => null);
}

/** The store of this browser. Nothing here throws: without it everything still works, slower. */
export const browserStore: ProvingStore = {
  async read(name) {
    const cache = await open();
    const kept = await cache?.match(addressOf(name)).catch(() => undefined);
    if (!kept) return null;
    const bytes = new Uint8Array(await kept.arrayBuffer());
    // Disks lie now and then, and Barretenberg would use a wrong point without a word.
    if ((await sha256(bytes)) === kept.headers.get(DIGEST)) return bytes;
    await cache?.delete(addressOf(name)).catch(() => false);
    return null;
  },
  async write(name, bytes) {
    const cache = await open();
    const response = new Response(new Uint8Array(bytes), { headers: { [DIGEST]: await sha256(bytes) } });
    // No room: it is fetched again the next time.
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
