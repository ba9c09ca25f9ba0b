import type { Trx } from "@/db/schema";
import type { HolderFacts, ProvenFacts } from "@/lib/policy/gate";
import type { CircuitId } from "@/lib/proofs/deployment";

/** A proof as the client sends it. Nothing in it is trusted. */
export interface SubmittedProof {
  readonly circuit: string;
  readonly proof: string;
  readonly publicInputs: string | readonly string[];
}

/** What shows that a proof is fresh: the challenge of a sign-in, or any open challenge of this caller. */
export interface Freshness {
  readonly challengeId: string | null;
  /** The signed-in user who submits the proof; null at sign-in. */
  readonly userId: string | null;
}

/** What an accepted proof says. */
export interface AcceptedProof extends ProvenFacts {
  readonly circuit: CircuitId;
  /** Keyed hash of (circuit family, nullifier). */
  readonly identityHash: string;
  /**
   * Marks the proof and its challenge as used. Call it inside the transaction that acts on the proof, so that the proof
   * can be submitted again if that transaction fails.
   * @throws Refusal proof_used or challenge_unknown when another request used them first
   */
  readonly consume: (trx: Trx) => Promise<void>;
}

/**
 * Accepts proofs; nothing else does (design/api.md, "What makes a proof acceptable").
 * @throws Refusal with the documented code
 */
export type ProofAcceptor = (submitted: SubmittedProof, freshness: Freshness) => Promise<AcceptedProof>;

/** The owner of sealed facts. Facts open only for the user and circuit they were sealed for. */
export interface FactsOf {
  readonly userId: string;
  readonly circuit: string;
}

/** The columns of `verifications` that hold sealed facts. */
interface SealedFacts {
  readonly sealed: string;
  readonly facts_tag: string;
  readonly domain_tag: string | null;
}

/** Seals proven facts, so that reading the database without the installation's secret does not reveal them. */
export interface FactSeals {
  seal(of: FactsOf, facts: HolderFacts): Promise<SealedFacts>;
  /** Returns null, and logs it, when this installation's secret did not seal the facts for this owner. */
  open(of: FactsOf, sealed: string | null): Promise<HolderFacts | null>;
  /** What SQL compares instead of a domain. It differs for every user, so equal tags do not reveal colleagues. */
  domainTag(userId: string, domain: string): string;
}
