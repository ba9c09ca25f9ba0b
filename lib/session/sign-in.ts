import { randomUUID } from "node:crypto";
import type { contract, HandlerInput } from "@/lib/contract";
import type { SessionContext } from "./context";
import { type SessionUser, userWithIdentity, userWithNickname } from "./users";
import { keepVerification } from "./verifications";

/** What a sign-in answers. */
export interface SignedIn {
  readonly userId: string;
  readonly nickname: string;
  readonly needsNickname: boolean;
  readonly token: string;
}

/** Signs in with a proof; the first time makes the user. One transaction: proof used, user, verification. */
export async function signInWithProof(
  ctx: SessionContext,
  { challengeId, result }: HandlerInput<typeof contract.auth.verify>,
): Promise<SignedIn> {
  const accepted = await ctx.acceptProof(result, { challengeId, userId: null });
  const user = await ctx.db.transaction().execute(async (trx) => {
    await accepted.consume(trx);
    const signedIn = await userWithIdentity(trx, accepted.identityHash);
    await keepVerification(trx, signedIn.userId, accepted, ctx.now());
    return signedIn;
  });
  return await startSession(ctx, user);
}

/**
 * Signs in without a proof: as the user with this nickname, made when there is none; without a nickname as a new
 * user, as after a first sign-in. `endpoint()` never gets here outside development (see app/api/auth/dev-login).
 */
export async function developmentSignIn(
  ctx: SessionContext,
  { nickname }: HandlerInput<typeof contract.auth.devLogin>,
): Promise<SignedIn> {
  const user =
    nickname === undefined
      ? await userWithIdentity(ctx.db, developmentIdentity())
      : await userWithNickname(ctx.db, nickname, developmentIdentity());
  return await startSession(ctx, user);
}

/** Nobody proved anything: an identity nobody can prove either. */
function developmentIdentity(): string {
  return `development ${randomUUID()}`;
}

async function startSession({ session, now }: SessionContext, user: SessionUser): Promise<SignedIn> {
  const { userId, nickname, nicknameSet } = user;
  const { token } = await session.start({ userId, nickname, verifiedAt: now().getTime() });
  return { userId, nickname, needsNickname: !nicknameSet, token };
}
