import { type ErrorCode, errors } from "@/lib/contract/errors";
import type { ProofRequirement } from "@/lib/contract/proof-requirement";

export interface RefusalDetails {
  /** Replaces the sentence of the code. A client shows it to people, so it carries no secrets and no internals. */
  readonly message?: string;
  /** The field that broke a rule, as a path like `poll.options.0`. */
  readonly field?: string;
  readonly proofRequirement?: ProofRequirement;
  /** Overrides the code's usual status, where the spec asks for it (proof_required: 402, 403 or 400). */
  readonly status?: number;
  /** Seconds to wait, answered as retry-after. */
  readonly retryAfter?: number;
  /** Further fields of the error body (the checks of a service that is not ready). */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** What went wrong underneath; it goes to the log, never to the client. */
  readonly cause?: unknown;
}

/**
 * The error of the API on the server, with a documented code. Thrown anywhere below the routes; `endpoint()` turns it into
 * the error body, which the client throws as `ApiError` (lib/client/error.ts). The prover's API has `ProverRefusal`.
 *
 * @example throw new Refusal("not_a_member");
 * @example throw new Refusal("invalid_request", { field: "tags", message: "A tag needs letters or digits." });
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly details: RefusalDetails = {},
  ) {
    super(details.message ?? errors[code].message, { cause: details.cause });
    this.status = details.status ?? errors[code].status;
  }
}

/**
 * Whether something thrown is a refusal. Not `instanceof`: the bundler may load this module more than once in a
 * process (pages, routes and the start each have a copy), and a refusal thrown by one copy is one for the others.
 */
export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Error && value.name === "Refusal" && "code" in value && "details" in value;
}
