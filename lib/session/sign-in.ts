import { randomUUID } from "node:crypto";
import type { Db, Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import type { AcceptedProof } from "@/lib/context/proofs";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import type { OperatorRole } from "@/lib/contract/desk";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { isConsumerDomain } from "@/lib/policy/consumer-domains";
import type { SessionContext } from "./context";
import { beginSession } from "./sessions";
import { findUser, type SessionUser, userWithIdentity, userWithNickname } from "./users";

type SignedIn = ResponseBody<typeof contract.auth.devLogin>;

/** Signs in with a proof, in one transaction; the first sign-in creates the user. */
export async function signInWithProof(
  ctx: SessionContext,
  { challengeId, result }: HandlerInput<typeof contract.auth.verify>,
): Promise<SignedIn> {
  const accepted = await ctx.acceptProof(result, { challengeId, userId: null });
  const signedIn = await ctx.db.transaction().execute(async (trx) => {
    const user = await userOfProof(trx, ctx, accepted);
    return await signedInAs(trx, ctx, user, ctx.now());
  });
  ctx.session.setToken(signedIn.token);
  return signedIn;
}

/**
 * Consumes a sign-in's proof: creates the user on first use, and stores the verification.
 * @throws Refusal consumer_account for a first use, where the installation takes no accounts of consumer mail providers
 */
export async function userOfProof(
  trx: Trx,
  ctx: Pick<SessionContext, "facts" | "now" | "trust">,
  accepted: AcceptedProof,
): Promise<SessionUser> {
  await accepted.consume(trx);
  const { identityHash, domain } = accepted;
  const isConsumer = domain !== null && isConsumerDomain(domain.toLowerCase());
  if (isConsumer && ctx.trust.consumerAccounts === "refuse") {
    if (!(await findUser(trx, "identity_hash", identityHash))) throw new Refusal("consumer_account");
  }
  const user = await userWithIdentity(trx, identityHash, isConsumer);
  await keepVerification(trx, ctx, { userId: user.userId, proof: accepted, now: ctx.now() });
  return user;
}

/**
 * Signs in without a proof: as the user with this nickname, created if needed; without a nickname as a new user.
 * `provenSecondsAgo` makes the session look older, to test actions that need a fresh proof; `operator` gives a role on
 * the installation. Only reachable in development (see app/api/auth/dev-login).
 */
export async function developmentSignIn(
  ctx: SessionContext,
  { nickname, provenSecondsAgo = 0, operator: role }: HandlerInput<typeof contract.auth.devLogin>,
): Promise<SignedIn> {
  const user =
    nickname === undefined
      ? await userWithIdentity(ctx.db, developmentIdentity())
      : await userWithNickname(ctx.db, nickname, developmentIdentity());
  if (role) await setDevelopmentRole(ctx, user.userId, role);
  const provenAt = new Date(ctx.now().getTime() - provenSecondsAgo * 1000);
  const signedIn = await signedInAs(ctx.db, ctx, user, provenAt);
  ctx.session.setToken(signedIn.token);
  return signedIn;
}

/** Gives a role without a log entry: whoever reaches this can sign in as any operator anyway. */
async function setDevelopmentRole(
  { db, now }: Pick<SessionContext, "db" | "now">,
  userId: string,
  role: OperatorRole,
): Promise<void> {
  const granted = { role, granted_by: userId, granted_at: now() };
  await db
    .insertInto("operators")
    .values({ user_id: userId, ...granted })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(granted))
    .execute();
}

/** Returns an identity that no one can prove. */
function developmentIdentity(): string {
  return `development ${randomUUID()}`;
}

/**
 * Begins the session of a user who just signed in. Hand out its token once the transaction is committed.
 * @param verifiedAt when the proof was verified
 */
export async function signedInAs(
  db: Db | Trx,
  ctx: SessionContext,
  { userId, nickname, nicknameSet }: SessionUser,
  verifiedAt: Date,
): Promise<SignedIn> {
  const { token } = await beginSession(db, ctx, { userId, nickname, verifiedAt: verifiedAt.getTime() });
  return { userId, nickname, needsNickname: !nicknameSet, token };
}

/** The stored parts of a proof: never the email, the token, the nullifier or the proof itself. */
export type KeptProof = Pick<
  AcceptedProof,
  "circuit" | "provider" | "domain" | "countries" | "countriesIncluded" | "identityHash"
>;

/** Stores an accepted proof as a verification of this user; a newer one with the same facts replaces it. */
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
      expires_at: new Date(now.getTime() + LIMITS.days.verification * 24 * 60 * 60 * 1000),
    })
    .execute();
}
