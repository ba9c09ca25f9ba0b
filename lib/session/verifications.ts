import { sql } from "kysely";
import type { Trx } from "@/lib/community/context";
import type { AcceptedProof } from "./authorize";

/** Days an accepted proof may stand in for a new one (design/api.md). */
export const verificationDays = 30;

/** What of a proof is kept: never the email, the token, the nullifier or the proof. */
export type KeptProof = Pick<
  AcceptedProof,
  "circuit" | "provider" | "domain" | "countries" | "countriesIncluded" | "identityHash"
>;

/** Keeps an accepted proof as a verification of this user; a newer one for the same facts replaces the older. */
export async function keepVerification(trx: Trx, userId: string, proof: KeptProof, now: Date): Promise<void> {
  const { circuit, provider, domain, countries, countriesIncluded, identityHash } = proof;
  await trx
    .deleteFrom("verifications")
    .where("user_id", "=", userId)
    .where("circuit", "=", circuit)
    .where("identity_hash", "=", identityHash)
    .where("provider", "is not distinct from", provider)
    .where("domain", "is not distinct from", domain)
    // Kysely would expand an array operand into a list; the column is one text[] value.
    .where(sql<boolean>`countries is not distinct from ${countries ? [...countries] : null}::text[]`)
    .where("countries_included", "is not distinct from", countriesIncluded)
    .execute();
  await trx
    .insertInto("verifications")
    .values({
      user_id: userId,
      circuit,
      provider,
      domain,
      countries: countries ? [...countries] : null,
      countries_included: countriesIncluded,
      identity_hash: identityHash,
      verified_at: now,
      expires_at: new Date(now.getTime() + verificationDays * 24 * 60 * 60 * 1000),
    })
    .execute();
}
