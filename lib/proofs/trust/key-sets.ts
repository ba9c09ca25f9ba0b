import { z } from "zod";
import { TrustUnavailableError } from "../errors";
import { type Jwk, jwkSchema, jwkSetSchema, rsa2048Modulus } from "./jwks";

/** A key and when its issuer last published it, in milliseconds. */
export const seenKeySchema = z.object({ jwk: jwkSchema, lastSeen: z.number() });
export type SeenKey = z.infer<typeof seenKeySchema>;

/** Optional storage by pinned URL that keeps rotated keys across restarts. */
export interface KeyStore {
  read(jwksUri: string): Promise<readonly SeenKey[]>;
  write(jwksUri: string, keys: readonly SeenKey[]): Promise<void>;
}

export type KeySetOptions = {
  fetch?: typeof fetch;
  /** Milliseconds; default the clock. */
  now?: () => number;
  store?: KeyStore;
};

/** Age at which a key set is fetched again. */
const FRESH_MS = 60 * 60 * 1000;
/** Minimum time between two fetches from one issuer, so that unknown key ids cannot flood it. */
const REFETCH_MS = 60 * 1000;
/** The same while no key is known. */
const FIRST_FETCH_RETRY_MS = 5 * 1000;
/** How long an unpublished key stays valid: longer than the tokens it signed. */
const KEEP_MS = 24 * 60 * 60 * 1000;
const FETCH_TIMEOUT_MS = 5000;
const MAX_BYTES = 256 * 1024;

/** Keys of one pinned issuer: fetched from the pinned URL, cached, and kept after rotation. */
export class PinnedKeySet {
  #keys: SeenKey[] = [];
  #loaded = false;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | null = null;

  readonly #jwksUri: string;
  readonly #options: KeySetOptions;

  constructor(jwksUri: string, options: KeySetOptions) {
    this.#jwksUri = jwksUri;
    this.#options = options;
  }

  /**
   * Returns keys published in the last 24 hours. Fetches first if the cache is an hour old or has no `wanted` key.
   * @throws TrustUnavailableError if no key is known and none can be fetched.
   */
  async keys(wanted: (jwk: Jwk) => boolean = () => true): Promise<Jwk[]> {
    await this.#load();
    const stale = this.#now() - this.#fetchedAt >= FRESH_MS;
    if (stale || !this.#current().some(wanted)) await this.#refresh();
    const current = this.#current();
    if (current.length === 0) throw new TrustUnavailableError("the identity provider's keys are unavailable");
    return current;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #current(): Jwk[] {
    const oldest = this.#now() - KEEP_MS;
    return this.#keys.filter((key) => key.lastSeen >= oldest).map((key) => key.jwk);
  }

  async #load(): Promise<void> {
    if (this.#loaded || !this.#options.store) return;
    this.#keys = [...(await this.#options.store.read(this.#jwksUri))];
    this.#loaded = true;
  }

  /** Runs one fetch at a time, no more often than allowed. A failed fetch keeps the known keys. */
  async #refresh(): Promise<void> {
    if (!this.#running) {
      const pause = this.#current().length > 0 ? REFETCH_MS : FIRST_FETCH_RETRY_MS;
      if (this.#now() - this.#triedAt < pause) return;
      this.#triedAt = this.#now();
      this.#running = this.#fetchKeys().finally(() => {
        this.#running = null;
      });
    }
    await this.#running;
  }

  async #fetchKeys(): Promise<void> {
    const published = await fetchJwkSet(this.#jwksUri, this.#options.fetch ?? fetch);
    if (!published) return;
    const now = this.#now();
    this.#fetchedAt = now;
    const usable = published.filter((jwk) => jwk.kid !== undefined && rsa2048Modulus(jwk) !== null);
    const replaced = (old: SeenKey) => usable.some((jwk) => jwk.kid === old.jwk.kid && jwk.n === old.jwk.n);
    const kept = this.#keys.filter((old) => old.lastSeen >= now - KEEP_MS && !replaced(old));
    this.#keys = [...usable.map((jwk) => ({ jwk, lastSeen: now })), ...kept];
    await this.#options.store?.write(this.#jwksUri, this.#keys);
  }
}

/** Fetches the published keys; null if the URL does not return a key set. Rejects redirects. */
async function fetchJwkSet(uri: string, fetchFn: typeof fetch): Promise<Jwk[] | null> {
  try {
    const response = await fetchFn(uri, {
      redirect: "error",
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!response.ok) return null;
    const text = await response.text();
    if (text.length > MAX_BYTES) return null;
    const parsed = jwkSetSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.keys : null;
  } catch {
    return null;
  }
}
