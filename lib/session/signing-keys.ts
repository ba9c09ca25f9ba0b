import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import { z } from "zod";
import type { Context } from "@/lib/context";
import { openSealed, seal } from "./sealed";

const DAY_MS = 86_400_000;
/** A key signs for so long. */
const SIGNS_MS = 90 * DAY_MS;
/** How long a key is published before it signs: apps keep the list for a while. */
const PUBLISHED_FIRST_MS = DAY_MS;

const jwkSchema = z.object({ kty: z.literal("RSA"), kid: z.string() }).loose();

type KeySources = Pick<Context, "db" | "apps" | "now">;

/**
 * Returns the private keys of identity tokens (RS256), the one that signs first, and makes the next one when it is due.
 * Processes share them. Those sealed with another secret are left out, and replaced.
 */
export async function signingKeys(ctx: KeySources): Promise<readonly JWK[]> {
  const stored = await storedKeys(ctx);
  const [newest] = stored;
  const at = ctx.now().getTime();
  if (newest?.jwk && newest.since + SIGNS_MS > at) return ordered(stored, at);
  await addKey(ctx, (newest?.number ?? 0) + 1);
  return ordered(await storedKeys(ctx), at);
}

interface StoredKey {
  readonly number: number;
  readonly since: number;
  /** Null where it cannot be opened. */
  readonly jwk: JWK | null;
}

/** The latest keys, newest first. Older ones than the one before the last signed nothing that is still valid. */
async function storedKeys({ db, apps }: KeySources): Promise<readonly StoredKey[]> {
  const rows = await db
    .selectFrom("app_signing_keys")
    .selectAll()
    .orderBy("number", "desc")
    .limit(3)
    .execute();
  return await Promise.all(
    rows.map(async ({ number, created_at, sealed }) => ({
      number,
      since: created_at.getTime(),
      jwk: await openSealed(apps.sealingKey, sealed).then(
        (jwk) => jwkSchema.parse(jwk),
        () => null,
      ),
    })),
  );
}

/** Of several processes that make the same key, one wins. */
async function addKey({ db, apps, now }: KeySources, number: number): Promise<void> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const sealed = await seal(apps.sealingKey, { ...jwk, kid, alg: "RS256", use: "sig" });
  await db
    .insertInto("app_signing_keys")
    .values({ number, sealed, created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .deleteFrom("app_signing_keys")
    .where("number", "<", number - 2)
    .execute();
}

function ordered(keys: readonly StoredKey[], at: number): readonly JWK[] {
  const known = keys.flatMap(({ jwk, since }) => (jwk ? [{ jwk, since }] : []));
  const signs = known.find(({ since }) => since + PUBLISHED_FIRST_MS <= at) ?? known.at(-1);
  return [...new Set([...(signs ? [signs] : []), ...known])].map(({ jwk }) => jwk);
}
