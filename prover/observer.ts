import type { CircuitId } from "@/lib/proofs/deployment";

/** Steps of a job that take time. */
export type Stage = "witness" | "settling" | "queued" | "proving" | "checking";

/** Counts what happens in the prover. Receives numbers and names only, never anything a client sent. */
export interface Observer {
  stage(circuit: CircuitId, stage: Stage, milliseconds: number): void;
  /** A payment settled. @param settlement how, e.g. payee */
  settled(settlement: string, network: string): void;
  /** A payment was settled by an account that is not ours: a third party's, or another service's with our payTo. */
  foreign(settlement: string, network: string): void;
  /** A job ended. */
  ended(circuit: CircuitId, status: "done" | "failed"): void;
  /** A request was answered. @param operation id of its route */
  request(operation: string, status: number, ms: number): void;
  /** A request was answered with an error code. */
  refused(code: string, reason: string | undefined): void;
}
