import { z } from "zod";
import type { contract, HandlerInput } from "@/lib/contract";
import { type ErrorCode, errors, isErrorCode } from "@/lib/contract/errors";
import { relayCircuit } from "@/lib/contract/relay";
import { Refusal } from "@/lib/errors";
import type { SessionContext } from "../context";
import { type SignedIn, signedInAs } from "../sign-in";
import { findRequest, type OpenRequest, requestUnknown, secondsLeft } from "./requests";

const signInAnswer = z.object({ userId: z.string(), verifiedAt: z.number() });
const proofAnswer = z.object({
  circuit: relayCircuit,
  proof: z.string(),
  publicInputs: z.array(z.string()),
});

/** What the phone left for the asking client. */
export type SealedAnswer = z.infer<typeof signInAnswer> | z.input<typeof proofAnswer> | UncheckedProof;
interface UncheckedProof {
  readonly circuit: string;
  readonly proof: string;
  readonly publicInputs: readonly string[];
}

/**
 * GET /api/auth/poll/{requestId}: how a request stands, for the client that asked. A completed sign-in starts its session
 * once; a proof may be fetched again until the request ends, as it serves its asker only, and once.
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
      if (request.purpose === "proof") return await handOver(ctx, request);
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

async function handOver({ session }: SessionContext, { id, answer }: OpenRequest) {
  if (answer === null) throw requestUnknown();
  return { status: "completed", ...proofAnswer.parse(await session.relay.open(id, answer)) } as const;
}

/** Whose account a completed sign-in is, without beginning its session. */
async function look(ctx: SessionContext, { id, answer }: OpenRequest) {
  if (answer === null) throw requestUnknown();
  const { userId } = signInAnswer.parse(await ctx.session.relay.open(id, answer));
  const user = await ctx.db
    .selectFrom("users")
    .select(["nickname", "nickname_set"])
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!user) throw requestUnknown();
  const { nickname, nickname_set: nicknameSet } = user;
  return { status: "completed", userId, nickname, needsNickname: !nicknameSet } as const;
}

/** Starts the session; the answer goes with it, so that of many polls one gets it. */
async function signIn(ctx: SessionContext, { id, answer }: OpenRequest) {
  if (answer === null) throw requestUnknown();
  const { userId, verifiedAt } = signInAnswer.parse(await ctx.session.relay.open(id, answer));
  const signedIn: SignedIn = await ctx.db.transaction().execute(async (trx) => {
    const taken = await trx
      .updateTable("proof_requests")
      .set({ answer: null })
      .where("id", "=", id)
      .where("answer", "is not", null)
      .executeTakeFirst();
    const user = await trx
      .selectFrom("users")
      .select(["nickname", "nickname_set"])
      .where("id", "=", userId)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (taken.numUpdatedRows === 0n || !user) throw requestUnknown();
    const { nickname, nickname_set: nicknameSet } = user;
    return await signedInAs(trx, ctx, { userId, nickname, nicknameSet }, new Date(verifiedAt));
  });
  ctx.session.give(signedIn.token);
  const { needsNickname, token } = signedIn;
  return { status: "completed", userId, needsNickname, token } as const;
}
