import type { Adapter, AdapterPayload } from "oidc-provider";
import { errors } from "oidc-provider";
import { z } from "zod";
import { requestKey } from "@/lib/community";
import { providerId } from "@/lib/contract/apps";
import type { Services } from "@/lib/runtime/assemble";
import { clientMetadata } from "./clients";

const payloadSchema = z.looseObject({ grantId: z.string().optional() });

/**
 * Stores what a sign-in needs for its minutes in the cache, and reads apps from the database. Sessions of the provider are
 * not kept: each sign-in asks the person who is signed in to Parley at that moment.
 */
export function oidcStore(services: Services) {
  const { cache } = services;
  return class OidcStore implements Adapter {
    readonly #model: string;

    constructor(model: string) {
      this.#model = model;
    }

    #key(id: string): string {
      return this.#model === "Interaction" ? requestKey(id) : `oidc:${this.#model}:${id}`;
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
      if (this.#model !== "Session") await cache.set(this.#key(id), JSON.stringify(payload), expiresIn);
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      if (this.#model === "Client") return await clientMetadata(services, id);
      // Whoever asks chose it: it must not be more than a key can be.
      const text = providerId.safeParse(id).success ? await cache.get(this.#key(id)) : null;
      if (text === null) return undefined;
      const payload = payloadSchema.parse(JSON.parse(text));
      const { grantId } = payload;
      // The grant of a code that was sent twice has ended, and with it what it gave out (RFC 6749, 4.1.2).
      if (grantId !== undefined && (await cache.get(endedKey(grantId))) !== null) return undefined;
      const used = await cache.get(usedKey(this.#key(id)));
      return used === null ? payload : { ...payload, consumed: Number(used) };
    }

    /** Only the first of several at once succeeds. */
    async consume(id: string): Promise<void> {
      const at = String(Math.floor(services.now().getTime() / 1000));
      if (await cache.set(usedKey(this.#key(id)), at, KEEP_SECONDS, true)) return;
      throw new errors.InvalidGrant("authorization code already consumed");
    }

    async destroy(id: string): Promise<void> {
      await cache.delete(this.#key(id));
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await cache.set(endedKey(grantId), "1", KEEP_SECONDS);
    }

    async findByUid(): Promise<undefined> {}

    async findByUserCode(): Promise<undefined> {}
  };
}

/** Longer than anything that a grant gives out is valid. */
const KEEP_SECONDS = 3600;

const usedKey = (key: string) => `${key}:used`;
const endedKey = (grantId: string) => `oidc:ended:${grantId}`;
