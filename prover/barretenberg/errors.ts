/**
 * Errors around bb, by what the caller should do about them. Messages name steps and circuits, never witness values or
 * bb's own text.
 */

export type ProverErrorCode =
  /** bb ended by itself or was killed from outside; a new one is started for the next job */
  | "crashed"
  /** the job took longer than its limit; bb was killed */
  | "timeout"
  /** bb reached its memory limit and was killed */
  | "memory"
  /** bb refused the job: malformed witness, wrong key, not enough SRS points */
  | "rejected"
  /** this runner was not given the circuit */
  | "unknown-circuit"
  /** the runner was closed before the job ended */
  | "closed";

/** Proving failed. */
export class ProverError extends Error {
  override name = "ProverError";
  constructor(
    readonly code: ProverErrorCode,
    message: string,
    /** whether the same job may well succeed on a retry */
    readonly retry: boolean = code === "crashed" || code === "timeout" || code === "memory",
  ) {
    super(message);
  }
}

/** The inputs do not satisfy the circuit, or do not match its parameters. */
export class WitnessError extends Error {
  override name = "WitnessError";
  constructor(
    /** `inputs`: wrong shape; `constraint`: an assertion failed; `timeout`, `busy`, `internal`: not the inputs' fault */
    readonly reason: "inputs" | "constraint" | "timeout" | "busy" | "internal",
    message: string,
    /** for `inputs`: the circuit parameter at fault, when noir_js named one */
    readonly parameter?: string,
    /** for `constraint`: the assertion's text, when it is a constant of the circuit */
    readonly assertion?: string,
  ) {
    super(message);
  }
}

/** The setup data cannot be used. */
export class SrsError extends Error {
  override name = "SrsError";
}

/** A verification key or verifier contract could not be made or does not fit. */
export class KeysError extends Error {
  override name = "KeysError";
}
