import { type ErrorCode, errors } from "@/lib/contract/errors";
import type { ProofRequirement } from "@/lib/contract/proof-requirement";

interface RefusalDetails {
  /** Replaces the code's message. Clients show it to people, so it must not contain secrets or internals. */
  readonly message?: string;
  /** The invalid field, as a path like `poll.options.0`. */
  readonly field?: string;
  readonly proofRequirement?: ProofRequirement;
  /** Overrides the code's default status where the spec requires it (proof_required: 402, 403 or 400). */
  readonly status?: number;
  /** Seconds to wait, for the Retry-After header. */
  readonly retryAfter?: number;
  /** More fields of the error body, such as the checks of a service that is not ready. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The underlying error, for the log only. */
  readonly cause?: unknown;
}

/**
 * The API's error on the server, with a documented code. Throw it anywhere below the routes: `endpoint()` converts it to
 * the error body, which the client throws as `ApiError` (lib/client). The prover's API uses `ProverRefusal`.
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
 * Returns whether a thrown value is a Refusal. Does not use `instanceof`: the bundler may load this module several times
 * per process (pages, routes and the start each have a copy), and every copy must recognize the others' errors.
 */
export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Error && value.name === "Refusal" && "code" in value && "details" in value;
}
