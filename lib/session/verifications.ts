import type { Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import type { AcceptedProof } from "@/lib/context/proofs";

/** Days an accepted proof may stand in for a new one (design/api.md). */
const verificationDays = 30;

/** What of a proof is kept: never the email, the token, the nullifier or the proof. */
export type KeptProof = Pick<
  AcceptedProof,
  "circuit" | "provider" | "domain" | "countries" | "countriesIncluded" | "identityHash"
>;

/** Keeps an accepted proof as a verification of this user; a newer one for the same facts replaces the older. */
export async function keepVerification(
  trx: Trx,
  { facts }: Pick<Context, "facts">,
  { userId, proof, now }: { readonly userId: string; readonly proof: KeptProof; readonly now: Date },
): Promise<void> {
  const { circuit, provider, identityHash } = proof;
  const sealed = await facts.seal({ userId, circuit }, proof);
  await trx
    .deleteFrom("verifications")
    .where("user_id", "=", userId)
    .where("circuit", "=", circuit)
    .where("identity_hash", "=", identityHash)
    .where("provider", "is not distinct from", provider)
    .where("facts_tag", "=", sealed.facts_tag)
    .execute();
  await trx
    .insertInto("verifications")
    .values({
      user_id: userId,
      circuit,
      provider,
      ...sealed,
      identity_hash: identityHash,
      verified_at: now,
      expires_at: new Date(now.getTime() + verificationDays * 24 * 60 * 60 * 1000),
    })
    .execute();
}
