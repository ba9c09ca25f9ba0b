import type { Trx } from "@/db/schema";
import type { CircuitId, Provider } from "@/lib/proofs/deployment";

/** A proof as a client hands it in; nothing in it is believed. */
export interface SubmittedProof {
  readonly circuit: string;
  readonly proof: string;
  readonly publicInputs: string | readonly string[];
}

/** How freshness is shown: by the challenge of a sign-in, or by any open challenge of this caller. */
export interface Freshness {
  readonly challengeId: string | null;
  /** The signed-in user handing it in, or null at sign-in. */
  readonly userId: string | null;
}

/** What an accepted proof says. */
export interface AcceptedProof {
  readonly circuit: CircuitId;
  readonly provider: Provider | null;
  readonly domain: string | null;
  readonly countries: readonly string[] | null;
  /** Whether the holder lives in one of `countries` or in none of them; null exactly when they are. */
  readonly countriesIncluded: boolean | null;
  /** Keyed hash of (circuit family, nullifier). */
  readonly identityHash: string;
  /**
   * Marks the proof and its challenge as used. Call it inside the transaction that acts on the proof: if that
   * fails, the proof can be handed in again.
   * @throws Refusal proof_used or challenge_unknown when somebody was faster.
   */
  readonly consume: (trx: Trx) => Promise<void>;
}

/**
 * The one function that accepts proofs (design/api.md, "What makes a proof acceptable").
 * @throws Refusal with the documented code.
 */
export type ProofAcceptor = (submitted: SubmittedProof, freshness: Freshness) => Promise<AcceptedProof>;
