import type { Trx } from "@/lib/community/context";
import type { CircuitId, Provider } from "@/lib/proofs/deployment";

/** A proof as a client hands it in; nothing in it is believed. */
export interface SubmittedProof {
  readonly circuit: string;
  readonly proof: string;
  readonly publicInputs: string | readonly string[];
}

/** What an accepted proof says. */
export interface AcceptedProof {
  readonly circuit: CircuitId;
  readonly provider: Provider | null;
  readonly domain: string | null;
  readonly countries: readonly string[] | null;
  /** Keyed hash of (circuit family, nullifier). */
  readonly identityHash: string;
  /** Marks the statement (and its challenge) as used; call inside the transaction that acts on it. */
  readonly consume: (trx: Trx) => Promise<void>;
}

/** How freshness is shown: by the challenge of a sign-in, or by any open challenge of this caller. */
export interface Freshness {
  readonly challengeId: string | null;
  /** The signed-in user handing it in, or null at sign-in. */
  readonly userId: string | null;
}

/**
 * The one function that accepts proofs (design/api.md, "What makes a proof acceptable").
 * @throws Refusal with the documented code.
 */
export type ProofAcceptor = (submitted: SubmittedProof, freshness: Freshness) => Promise<AcceptedProof>;
