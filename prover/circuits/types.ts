import type { Hex } from "viem";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import type { Trust } from "@/lib/proofs/trust/index";

/**
 * Solves a circuit's witness.
 * @param unpaid runs after paid work, and is refused as `busy` if too much unpaid work waits
 * @returns the witness, gzipped
 * @throws WitnessError
 */
export type Execute = (
  circuit: CircuitId,
  inputs: Record<string, unknown>,
  unpaid?: boolean,
) => Promise<Uint8Array>;

/** What circuits need. */
export interface CircuitParts {
  deployment: Deployment;
  trust: Trust;
  execute: Execute;
  /** Scope strings, for clients that send only a scope's hash. */
  scopes: readonly string[];
}

/** A solved witness, so its proof can be made. */
export interface Prepared {
  /** The circuit's inputs, for a process that solves the witness again. */
  inputs: Record<string, unknown>;
  witness: Uint8Array;
  /** The words the proof must have. */
  publicInputs: Hex[];
}

/** Reads one circuit's requests. To add a circuit, add a row to `circuits/index.ts`. */
export interface CircuitRow {
  id: CircuitId;
  /**
   * Adds default values, so that leaving one out makes the same request; absent if there are none. Inputs that do not
   * match the schema are returned unchanged.
   */
  withDefaults?(inputs: Record<string, unknown>): Record<string, unknown>;
  /**
   * Solves the witness of a request, and refuses inputs of which no trusted proof can be made. Nothing is charged or
   * written before this succeeds.
   * @param unpaid the payment is not known to have settled: paid work goes first
   * @throws ProverRefusal 400 INVALID_INPUTS with the field, or 503 if an issuer's keys are out of reach or too many
   *   unpaid witnesses wait
   */
  prepare(inputs: Record<string, unknown>, unpaid: boolean): Promise<Prepared>;
}
