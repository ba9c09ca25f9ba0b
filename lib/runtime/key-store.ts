import { z } from "zod";
import type { Cache } from "@/lib/cache";
import type { KeyStore } from "@/lib/proofs/trust";
import { seenKeySchema } from "@/lib/proofs/trust/key-sets";

/** Longer than a rotated key stays valid, so that no key is forgotten too early. */
const KEEP_SECONDS = 48 * 60 * 60;

/** Stores issuers' keys across restarts: one rotated while this process was down still verifies its last tokens. */
export function keyStore(cache: Cache): KeyStore {
  const keyOf = (jwksUri: string) => `issuer-keys:${jwksUri}`;
  return {
    async read(jwksUri) {
      const stored = await cache.get(keyOf(jwksUri));
      if (stored === null) return [];
      const keys = z.array(seenKeySchema).safeParse(JSON.parse(stored));
      return keys.success ? keys.data : [];
    },
    async write(jwksUri, keys) {
      await cache.set(keyOf(jwksUri), JSON.stringify(keys), KEEP_SECONDS);
    },
  };
}
