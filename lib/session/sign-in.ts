import { randomUUID } from "node:crypto";
import type { Db, Trx } from "@/db/schema";
import type { AcceptedProof } from "@/lib/context/proofs";
import type { contract, HandlerInput } from "@/lib/contract";
import type { SessionContext } from "./context";
import { beginSession } from "./sessions";
import { type SessionUser, userWithIdentity, userWithNickname } from "./users";
import { keepVerification } from "./verifications";

/** What a sign-in answers. */
export interface SignedIn {
  readonly userId: string;
  readonly nickname: string;
  readonly needsNickname: boolean;
  readonly token: string;
}

/** Signs in with a proof; the first time makes the user. One transaction: proof used, user, verification, session. */
export async function signInWithProof(
  ctx: SessionContext,
  { challengeId, result }: HandlerInput<typeof contract.auth.verify>,
): Promise<SignedIn> {
  const accepted = await ctx.acceptProof(result, { challengeId, userId: null });
  const signedIn = await ctx.db.transaction().execute(async (trx) => {
    const user = await userOfProof(trx, ctx, accepted);
    return await signedInAs(trx, ctx, user, ctx.now());
  });
  ctx.session.give(signedIn.token);
  return signedIn;
}

/** Uses a sign-in's proof up: its user, made the first time, and the verification. */
export async function userOfProof(
  trx: Trx,
  ctx: Pick<SessionContext, "facts" | "now">,
  accepted: AcceptedProof,
): Promise<SessionUser> {
  await accepted.consume(trx);
  const user = await userWithIdentity(trx, accepted.identityHash);
  await keepVerification(trx, ctx, { userId: user.userId, proof: accepted, now: ctx.now() });
  return user;
}

/**
 * Signs in without a proof: as the user with this nickname, made when there is none; without a nickname as a new
 * user, as after a first sign-in. What takes a fresh proof can be tried with a session that looks older. `endpoint()` never gets here outside development (see app/api/auth/dev-login).
 */
export async function developmentSignIn(
  ctx: SessionContext,
  { nickname, provenSecondsAgo = 0 }: HandlerInput<typeof contract.auth.devLogin>,
): Promise<SignedIn> {
  const user =
    nickname === undefined
      ? await userWithIdentity(ctx.db, developmentIdentity())
      : await userWithNickname(ctx.db, nickname, developmentIdentity());
  const provenAt = new Date(ctx.now().getTime() - provenSecondsAgo * 1000);
  const signedIn = await signedInAs(ctx.db, ctx, user, provenAt);
  ctx.session.give(signedIn.token);
  return signedIn;
}

/** Nobody proved anything: an identity nobody can prove either. */
function developmentIdentity(): string {
  return `development ${randomUUID()}`;
}

/**
 * Begins the session of a user who just signed in. Hand its token out once the transaction is committed.
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
