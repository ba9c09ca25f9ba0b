import { ApiError } from "@/lib/client";
import { BuyProofError, DeviceFlowError, ProverError, RemoteSignerError } from "@/lib/proofs/client";
import { AttestedProofError } from "@/lib/proofs/client/attested";
import { ProofInputError, TrustUnavailableError, VerificationUnavailableError } from "@/lib/proofs/errors";
import { Failure } from "../failure";
import { UsageError } from "./options";
import { NotConfirmedError, RefusedProofError } from "./run";

export interface Described {
  readonly code: string;
  readonly message: string;
  /** Exit status: 2 for an invalid or unconfirmed command, 1 for a failure during the run. */
  readonly status: 1 | 2;
}

/** Describes any error. Does not repeat messages of other code, which may contain an input. */
export function describeFailure(error: unknown): Described {
  if (error instanceof Failure) {
    const isUsage = error.kind !== "failed";
    return { code: isUsage ? "USAGE" : "UNAVAILABLE", message: error.message, status: isUsage ? 2 : 1 };
  }
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
  return { code: "INTERNAL", message: `An unexpected error occurred (${name}).`, status: 1 };
}

function sentence({ message }: Error): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}
