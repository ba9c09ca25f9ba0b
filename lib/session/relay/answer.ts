import type { Db, Trx } from "@/db/schema";
import type { contract, HandlerInput } from "@/lib/contract";
import { isRefusal, Refusal } from "@/lib/errors";
import type { SessionContext } from "../context";
import { userOfProof } from "../sign-in";
import type { SealedAnswer } from "./poll";
import { findRequest, type OpenRequest } from "./requests";

/**
 * POST /api/auth/proof-request/{requestId}: the phone's proof. Of a sign-in it is used up here, and the session waits
 * for the client that asked. Any other is checked and kept sealed: its challenge stays open for the join it is for.
 *
 * A proof that is refused ends the request; a chain that cannot be asked does not.
 * @throws Refusal proof_request_unknown, proof_request_answered, and what `acceptProof` throws
 */
export async function answerProofRequest(
  ctx: SessionContext,
  { requestId, proof, publicInputs }: HandlerInput<typeof contract.auth.answerProofRequest>,
) {
  const { db, now } = ctx;
  const request = await findRequest(db, requestId, now());
  if (request.status !== "pending") throw answered();
  const submitted = { circuit: request.circuit, proof, publicInputs };
  try {
    const accepted = await ctx.acceptProof(submitted, {
      challengeId: request.challenge_id,
      userId: request.user_id,
    });
    await db.transaction().execute(async (trx) => {
      // The row is taken first: of two answers at once the second waits here and finds it taken.
      await settle(trx, request, { status: "completed" });
      await keepAnswer(
        trx,
        ctx,
        request,
        request.purpose === "sign_in"
          ? { userId: (await userOfProof(trx, ctx, accepted)).userId, verifiedAt: now().getTime() }
          : { circuit: accepted.circuit, proof, publicInputs: asList(publicInputs) },
      );
    });
  } catch (error) {
    if (!isRefusal(error) || error.status >= 500 || error.code === "proof_request_answered") throw error;
    await settle(db, request, { status: "failed", failure: error.code });
    throw error;
  }
  return { success: true } as const;
}

/** @throws Refusal proof_request_answered when another answer was faster */
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
  if (numUpdatedRows === 0n) throw answered();
}

async function keepAnswer(
  trx: Trx,
  { session }: SessionContext,
  { id }: OpenRequest,
  answer: SealedAnswer,
): Promise<void> {
  await trx
    .updateTable("proof_requests")
    .set({ answer: await session.relay.seal(id, answer) })
    .where("id", "=", id)
    .execute();
}

/** Public inputs came as a list, or as one blob that the acceptor found to be whole words. */
function asList(publicInputs: string | readonly string[]): string[] {
  if (typeof publicInputs !== "string") return [...publicInputs];
  return (publicInputs.slice(2).match(/.{64}/gs) ?? []).map((word) => `0x${word}`);
}

function answered(): Refusal {
  return new Refusal("proof_request_answered");
}
