import { ApiError } from "@/lib/client";
import { BuyProofError, DeviceFlowError, ProverError, RemoteSignerError } from "@/lib/proofs/client";
import { AttestedProofError } from "@/lib/proofs/client/attested";
import { ProofInputError, TrustUnavailableError, VerificationUnavailableError } from "@/lib/proofs/errors";
import { UsageError } from "./options";
import { NotConfirmedError, RefusedProofError } from "./run";

export interface Failure {
  /** Stable word. */
  readonly code: string;
  /** A sentence. */
  readonly message: string;
  /** Exit status: 2 for a command that means nothing or was not confirmed, 1 for what failed on the way. */
  readonly status: 1 | 2;
}

/** What to tell of anything that was thrown. Words that are not ours are not repeated: they may hold an input. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof UsageError) return { code: "USAGE", message: error.message, status: 2 };
  if (error instanceof NotConfirmedError) return { code: "NOT_CONFIRMED", message: error.message, status: 2 };
  if (error instanceof RefusedProofError) return { code: "PROOF_REFUSED", message: error.message, status: 1 };
  if (error instanceof ApiError) {
    return { code: error.code, message: `${error.status} ${error.code}: ${error.message}`, status: 1 };
  }
  if (error instanceof ProverError) {
    const about = [error.field, error.reason].filter((part) => part !== undefined).join(", ");
    return { code: error.code, message: `${sentence(error)}${about ? ` (${about})` : ""}`, status: 1 };
  }
  if (
    error instanceof BuyProofError ||
    error instanceof DeviceFlowError ||
    error instanceof RemoteSignerError ||
    error instanceof AttestedProofError ||
    error instanceof ProofInputError
  ) {
    return { code: error.code, message: sentence(error), status: 1 };
  }
  if (error instanceof TrustUnavailableError || error instanceof VerificationUnavailableError) {
    return { code: "UNAVAILABLE", message: sentence(error), status: 1 };
  }
  const name = error instanceof Error ? error.name : "unknown";
  return { code: "INTERNAL", message: `Something unexpected failed (${name}).`, status: 1 };
}

/** The message of one of our own errors as a sentence. */
function sentence({ message }: Error): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}
