import type { Trx } from "@/db/schema";
import type { TopicTable } from "@/db/schema/community";
import type { Context, MemberContext } from "@/lib/context";
import type { AcceptedProof } from "@/lib/context/proofs";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { type Gate, gateCircuit, gateDecision, isWorkspace } from "@/lib/policy/gate";
import { proofRequirementFor } from "@/lib/session/guides";
import { type KeptProof, keepVerification } from "@/lib/session/sign-in";
import { type StoredProof, storedProofs } from "./stored-proofs";

/** Returns the gate of a topic row; null if anyone may join. */
export function gateOf(
  topic: Pick<TopicTable, "proof_type" | "required_domain" | "allowed_countries" | "excluded_countries">,
): Gate | null {
  const { proof_type: type } = topic;
  if (type === "none") return null;
  if (type === "kyc") return { type };
  if (isWorkspace(type)) return { type, requiredDomain: topic.required_domain ?? "" };
  const { allowed_countries: allowed, excluded_countries: excluded } = topic;
  // Without either list nobody may join. A constraint of the table excludes that.
  const permitted = { countries: excluded ?? allowed ?? [], included: excluded === null };
  return { type, permitted };
}

/** The proof in the body of a join or a creation. */
interface ProofInput {
  readonly proof?: string;
  readonly publicInputs?: string | readonly string[];
}

/** What opens a gate: a new proof that is still to be consumed, or a stored verification. */
export interface GatePass extends KeptProof {
  readonly fresh: AcceptedProof | null;
  /** When it was proven. */
  readonly provenAt: Date;
}

/**
 * Opens a gate with the proof in the body or, without one, with a verification of the last 30 days.
 *
 * @param onMissing path and status for the refusal when there is neither
 * @param after a stored verification counts only if it is newer
 * @throws Refusal proof_required with proofRequirement; invalid_request for half a proof; what the proof acceptor
 *   refuses; proof_wrong_circuit, domain_not_allowed, country_not_allowed
 */
export async function passGate(
  ctx: MemberContext,
  gate: Gate,
  { proof, publicInputs }: ProofInput,
  onMissing: { readonly joinUrl: string; readonly status: 400 | 402 | 403 },
  after = new Date(0),
): Promise<GatePass> {
  if ((proof === undefined) !== (publicInputs === undefined)) {
    const field = proof === undefined ? "proof" : "publicInputs";
    throw new Refusal("invalid_request", {
      field,
      message: "Send a proof together with its public inputs.",
    });
  }
  if (proof !== undefined && publicInputs !== undefined) {
    const fresh = await ctx.acceptProof(
      { circuit: gateCircuit(gate.type), proof, publicInputs },
      { challengeId: null, userId: ctx.caller.userId },
    );
    assertAllowed(gateDecision(gate, fresh));
    return { ...fresh, fresh, provenAt: ctx.now() };
  }
  const kept = await findVerification(ctx, gate, after);
  if (kept) return { ...kept, fresh: null };
  throw new Refusal("proof_required", {
    status: onMissing.status,
    proofRequirement: proofRequirementFor(ctx.deployment, gate, onMissing.joinUrl),
  });
}

/** Returns the caller's latest unexpired verification that opens the gate. */
async function findVerification(ctx: MemberContext, gate: Gate, after: Date): Promise<StoredProof | null> {
  const proofs = await storedProofs(ctx, ctx.caller.userId, { circuit: gateCircuit(gate.type), after });
  return proofs.find((proof) => gateDecision(gate, proof) === "allowed") ?? null;
}

/**
 * Consumes a pass inside the transaction that joins the topic: consumes a new proof and stores it as a verification,
 * and binds the identity to this account in this topic.
 * @throws Refusal proof_used when the identity joined with another account, or another request used the proof first
 */
export async function consumePass(
  trx: Trx,
  ctx: Pick<Context, "facts">,
  pass: GatePass,
  entry: { readonly topicId: string; readonly userId: string; readonly now: Date },
): Promise<void> {
  const { topicId, userId, now } = entry;
  if (pass.fresh) {
    await pass.fresh.consume(trx);
    await keepVerification(trx, ctx, { userId, proof: pass, now });
  }
  const identity = { topic_id: topicId, circuit: pass.circuit, identity_hash: pass.identityHash };
  const inserted = await trx
    .insertInto("topic_identities")
    .values({ ...identity, user_id: userId, created_at: now })
    // The same account may return after it left; any other is refused below.
    .onConflict((conflict) => conflict.doNothing())
    .returning("user_id")
    .executeTakeFirst();
  if (inserted) return;
  const holder = await trx
    .selectFrom("topic_identities")
    .select("user_id")
    .where("topic_id", "=", identity.topic_id)
    .where("circuit", "=", identity.circuit)
    .where("identity_hash", "=", identity.identity_hash)
    .executeTakeFirst();
  if (holder?.user_id !== userId) {
    throw new Refusal("proof_used", {
      message: "This identity has already joined the topic with another account.",
    });
  }
}

/** Returns the path of the join without an invite, for proof guides. */
export function joinUrl(topicId: string): string {
  return `/api/topics/${topicId}/join`;
}
