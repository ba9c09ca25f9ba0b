import type { Hex } from "viem";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import type { Trust } from "@/lib/proofs/trust/index";

/**
 * Solves a circuit's witness; gzipped.
 * @param unpaid paid work goes first, and with too much unpaid work waiting this is refused as `busy`
 * @throws WitnessError
 */
export type Execute = (
  circuit: CircuitId,
  inputs: Record<string, unknown>,
  unpaid?: boolean,
) => Promise<Uint8Array>;

/** What a circuit's row is made of. */
export interface CircuitParts {
  deployment: Deployment;
  trust: Trust;
  execute: Execute;
  /** Scope strings looked up by their hash where a client sends only that. */
  scopes: readonly string[];
}

/** A witness that exists, so its proof can be made. */
export interface Prepared {
  /** The circuit's inputs the witness was solved from: for a process that solves it again. */
  inputs: Record<string, unknown>;
  witness: Uint8Array;
  /** The words the proof must have. */
  publicInputs: Hex[];
}

/** How one circuit's requests are read. A circuit is added by adding a row to `circuits/index.ts`. */
export interface CircuitRow {
  id: CircuitId;
  /**
   * Inputs with their defaults written out, so that leaving one out is no other request; absent where there are none.
   * What does not fit the schema comes back as it is.
   */
  withDefaults?(inputs: Record<string, unknown>): Record<string, unknown>;
  /**
   * From what the client sent to a witness, refusing what no trusted proof can be made of. Nothing is
   * charged or written before this succeeds.
   * @param unpaid the payment is not known to have settled: paid work goes first
   * @throws ProverRefusal 400 INVALID_INPUTS with the field, or 503 when an issuer's keys are out of reach or too many
   *   unpaid witnesses wait
   */
  prepare(inputs: Record<string, unknown>, unpaid: boolean): Promise<Prepared>;
}
