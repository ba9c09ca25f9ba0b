import { z } from "zod";
import type { Db, Trx } from "@/db/schema";
import type { contract, HandlerInput } from "@/lib/contract";
import { type ErrorCode, errors, isErrorCode } from "@/lib/contract/errors";
import { relayCircuit } from "@/lib/contract/relay";
import { isRefusal, Refusal } from "@/lib/errors";
import { wordsOf } from "../authorize";
import type { SessionContext } from "../context";
import { signedInAs, userOfProof } from "../sign-in";
import { findUser } from "../users";
import { findRequest, type OpenRequest, requestUnknown, secondsLeft } from "./requests";

/**
 * POST /api/auth/proof-request/{requestId}: receives the phone's proof. A sign-in's proof is used up here, and its
 * session waits for the requesting client. Other proofs are checked and stored sealed; their challenge stays open for
 * the join.
 *
 * A refused proof ends the request; an unreachable chain does not.
 * @throws Refusal proof_request_unknown, proof_request_answered, and what `acceptProof` throws
 */
export async function answerProofRequest(
  ctx: SessionContext,
  { requestId, proof, publicInputs }: HandlerInput<typeof contract.auth.answerProofRequest>,
) {
  const { db, now } = ctx;
  const request = await findRequest(db, requestId, now());
  if (request.status !== "pending") throw new Refusal("proof_request_answered");
  const submitted = { circuit: request.circuit, proof, publicInputs };
  try {
    const accepted = await ctx.acceptProof(submitted, {
      challengeId: request.challenge_id,
      userId: request.user_id,
    });
    await db.transaction().execute(async (trx) => {
      // Updates the row first: of two parallel answers the second waits here and is refused.
      await settle(trx, request, { status: "completed" });
      const answer =
        request.purpose === "sign_in"
          ? { userId: (await userOfProof(trx, ctx, accepted)).userId, verifiedAt: now().getTime() }
          : { circuit: accepted.circuit, proof, publicInputs: wordsOf(publicInputs) };
      await trx
        .updateTable("proof_requests")
        .set({ answer: await ctx.session.relay.seal(requestId, answer) })
        .where("id", "=", requestId)
        .execute();
    });
  } catch (error) {
    if (!isRefusal(error) || error.status >= 500 || error.code === "proof_request_answered") throw error;
    await settle(db, request, { status: "failed", failure: error.code });
    throw error;
  }
  return { success: true } as const;
}

/** @throws Refusal proof_request_answered if another answer was faster */
async function settle(
  db: Db | Trx,
  { id }: OpenRequest,
  outcome: { readonly status: "completed" | "failed"; readonly failure?: string },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("proof_requests")
    .set(outcome)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Refusal("proof_request_answered");
}

const signInAnswer = z.object({ userId: z.string(), verifiedAt: z.number() });
const proofAnswer = z.object({
  circuit: relayCircuit,
  proof: z.string(),
  publicInputs: z.array(z.string()),
});

/**
 * GET /api/auth/poll/{requestId}: the status of a request, for the requesting client. A completed sign-in starts its
 * session once. A proof can be fetched again until the request expires, since only its requester can use it, and only
 * once.
 * @throws Refusal proof_request_unknown, also for every other client; invalid_request for the wrong mode
 */
export async function pollProofRequest(
  ctx: SessionContext,
  { requestId, mode }: HandlerInput<typeof contract.auth.pollProofRequest>,
) {
  const { db, now, session } = ctx;
  if (!session.relay.isTied(requestId)) throw requestUnknown();
  const request = await findRequest(db, requestId, now());
  assertMode(request, mode);
  switch (request.status) {
    case "pending":
      return { status: "pending", expiresIn: secondsLeft(request, now()) } as const;
    case "failed":
      return { status: "failed", ...failureOf(request) } as const;
    case "completed":
      if (request.purpose === "proof") {
        return { status: "completed", ...(await openAnswer(proofAnswer, ctx, request)) } as const;
      }
      return mode === "look" ? await look(ctx, request) : await signIn(ctx, request);
  }
}

function assertMode({ purpose }: OpenRequest, mode: "proof" | "look" | undefined): void {
  if ((mode === "proof") === (purpose === "proof")) return;
  throw new Refusal("invalid_request", {
    field: "mode",
    message:
      purpose === "proof"
        ? "mode must be proof: this request asked for a proof, not for a sign-in."
        : "mode must be absent or look: this request is a sign-in.",
  });
}

function failureOf({ failure }: OpenRequest): { error: string; code: ErrorCode } {
  const code = failure !== null && isErrorCode(failure) ? failure : "proof_invalid";
  return { error: errors[code].message, code };
}

/** Opens the phone's answer. @throws Refusal proof_request_unknown when a poll already used it */
async function openAnswer<T>(
  schema: z.ZodType<T>,
  { session }: SessionContext,
  { id, answer }: OpenRequest,
): Promise<T> {
  if (answer === null) throw requestUnknown();
  return schema.parse(await session.relay.open(id, answer));
}

/** Returns whose account a completed sign-in is for, without starting its session. */
async function look(ctx: SessionContext, request: OpenRequest) {
  const { userId } = await openAnswer(signInAnswer, ctx, request);
  const user = await findUser(ctx.db, "id", userId);
  if (!user) throw requestUnknown();
  const { nickname, nicknameSet } = user;
  return { status: "completed", userId, nickname, needsNickname: !nicknameSet } as const;
}

/** Starts the session and deletes the answer, so that only one of many polls gets it. */
async function signIn(ctx: SessionContext, request: OpenRequest) {
  const { userId, verifiedAt } = await openAnswer(signInAnswer, ctx, request);
  const { needsNickname, token } = await ctx.db.transaction().execute(async (trx) => {
    const taken = await trx
      .updateTable("proof_requests")
      .set({ answer: null })
      .where("id", "=", request.id)
      .where("answer", "is not", null)
      .executeTakeFirst();
    const user = await findUser(trx, "id", userId);
    if (taken.numUpdatedRows === 0n || !user) throw requestUnknown();
    return await signedInAs(trx, ctx, user, new Date(verifiedAt));
  });
  ctx.session.setToken(token);
  return { status: "completed", userId, needsNickname, token } as const;
}
