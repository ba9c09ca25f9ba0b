import type { Trx } from "@/db/schema";
import type { TopicTable } from "@/db/schema/community";
import type { Context, MemberContext } from "@/lib/context";
import type { AcceptedProof } from "@/lib/context/proofs";
import type { ProofRequirement } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { type Gate, gateCircuit, gateDecision, isWorkspace, type ProvenFacts } from "@/lib/policy/gate";
import { proofRequirementFor } from "@/lib/session/guides";
import { type KeptProof, keepVerification } from "@/lib/session/sign-in";

/** The gate of a topic row; null when anybody may enter. */
export function gateOf(
  topic: Pick<TopicTable, "proof_type" | "required_domain" | "allowed_countries" | "excluded_countries">,
): Gate | null {
  const { proof_type: type } = topic;
  if (type === "none") return null;
  if (type === "kyc") return { type };
  if (isWorkspace(type)) return { type, requiredDomain: topic.required_domain ?? "" };
  const { allowed_countries: allowed, excluded_countries: excluded } = topic;
  // Without either list, which the table's constraint keeps from happening, nobody may enter.
  const permitted = { countries: excluded ?? allowed ?? [], included: excluded === null };
  return { type, permitted };
}

/** What a client must know to pass a gate. @param joinUrl path of the call that will take the proof */
export function requirementFor(ctx: Context, gate: Gate, joinUrl: string): ProofRequirement {
  return proofRequirementFor(ctx.deployment, gate, joinUrl);
}

/** A proof as it stands in a join or creation body. */
interface ProofInput {
  readonly proof?: string;
  readonly publicInputs?: string | readonly string[];
}

/** What opened a gate: a new proof, still to be consumed, or a verification kept from an earlier one. */
export interface GatePass extends KeptProof {
  readonly fresh: AcceptedProof | null;
}

/**
 * Shows that the caller may pass a gate: by the proof sent along, else by a verification of the last 30 days.
 *
 * @param onMissing path of this call, and the status its operation answers with when there is neither
 * @throws Refusal proof_required with proofRequirement; invalid_request for half a proof; whatever the proof acceptor refuses; proof_wrong_circuit,
 *   domain_not_allowed, country_not_allowed
 */
export async function passGate(
  ctx: MemberContext,
  gate: Gate,
  { proof, publicInputs }: ProofInput,
  onMissing: { readonly joinUrl: string; readonly status: 400 | 402 | 403 },
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
    return { ...keptOf(fresh), fresh };
  }
  const kept = await findVerification(ctx, gate);
  if (kept) return { ...kept, fresh: null };
  throw new Refusal("proof_required", {
    status: onMissing.status,
    proofRequirement: requirementFor(ctx, gate, onMissing.joinUrl),
  });
}

function keptOf(proof: AcceptedProof): KeptProof {
  const { circuit, provider, domain, countries, countriesIncluded, identityHash } = proof;
  return { circuit, provider, domain, countries, countriesIncluded, identityHash };
}

/** The caller's youngest unexpired verification that opens the gate. */
async function findVerification(ctx: MemberContext, gate: Gate): Promise<KeptProof | null> {
  const circuit = gateCircuit(gate.type);
  const rows = await ctx.db
    .selectFrom("verifications")
    .select(["provider", "sealed", "identity_hash"])
    .where("user_id", "=", ctx.caller.userId)
    .where("circuit", "=", circuit)
    .where("expires_at", ">", ctx.now())
    .orderBy("verified_at", "desc")
    .execute();
  for (const { provider, sealed, identity_hash } of rows) {
    const opened = await ctx.facts.open({ userId: ctx.caller.userId, circuit }, sealed);
    if (!opened) continue;
    const facts = { circuit, provider: knownProvider(provider), ...opened };
    if (opens(gate, facts)) return { ...facts, identityHash: identity_hash };
  }
  return null;
}

function opens(gate: Gate, facts: ProvenFacts): boolean {
  return gateDecision(gate, facts) === "allowed";
}

function knownProvider(provider: string | null): KeptProof["provider"] {
  return provider === "provider_a" || provider === "provider_b" ? provider : null;
}

/**
 * Uses a pass up inside the transaction that enters the topic: the proof is spent and kept as a verification, and
 * the identity is bound to this account in this topic.
 * @throws Refusal proof_used when the identity entered under another account, or the proof was used meanwhile
 */
export async function spendPass(
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
    // The same account may come back after it left; any other is refused below.
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
