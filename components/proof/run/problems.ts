import { ApiError } from "@/components/api";
import { PayerNotSeparateError } from "@/components/wallet/signer";
import * as en from "@/lib/i18n/en";
import { BuyProofError, ProverError } from "@/lib/proofs/client";
import {
  type ProofInputCode,
  ProofInputError,
  TrustUnavailableError,
  VerificationUnavailableError,
} from "@/lib/proofs/errors";
import { ProofRefusedError } from "./accept";
import { RequestEndingError } from "./challenge";
import type { RunProblem } from "./types";

/** Refusals of our server after which the same proof can be handed in again. */
const passing = new Set([
  "verification_unavailable",
  "network",
  "rate_limited",
  "internal",
  "nickname_required",
]);

/** EIP-1193: 4001 is the person saying no; some wallets nest it. */
function wasDeclined(error: unknown): boolean {
  for (let at: unknown = error; typeof at === "object" && at !== null; at = "cause" in at ? at.cause : null) {
    if ("code" in at && at.code === 4001) return true;
    if ("name" in at && at.name === "UserRejectedRequestError") return true;
  }
  return false;
}

/** What can be done about an attestation that does not serve: get one and look again. */
const attestationWords: Partial<Record<ProofInputCode, string>> = {
  ATTESTATION_NOT_FOUND: en.attested.notFound,
  ATTESTATION_REVERTED: en.attested.notFound,
  ATTESTATION_REVOKED: en.attested.revoked,
  ATTESTATION_SUPERSEDED: en.attested.superseded,
  ATTESTER_NOT_TRUSTED: en.attested.untrusted,
};

/** What to tell about anything a run may fail with, and whether it can go on. */
export function problemOf(error: unknown, paid: boolean): RunProblem {
  if (error instanceof ApiError) {
    const late = paid && error.code === "challenge_unknown";
    return { message: late ? en.run.tooLate : error.message, final: !passing.has(error.code) };
  }
  if (error instanceof RequestEndingError) return { message: en.relay.ending, final: true };
  if (error instanceof ProofInputError) return inputProblem(error);
  if (wasDeclined(error)) return { message: en.wallet.rejected, final: false };
  if (error instanceof PayerNotSeparateError) return { message: en.wallet.notSeparate, final: false };
  if (error instanceof ProverError && error.code === "PAYMENT_ALREADY_USED") {
    return { message: en.run.spent, final: true };
  }
  const kept = paid ? en.run.paidKept : en.run.nothingPaid;
  if (error instanceof TrustUnavailableError) {
    return { message: `${en.attested.unavailable} ${kept}`, final: false };
  }
  if (error instanceof VerificationUnavailableError) {
    return { message: `${en.run.chainSilent} ${kept}`, final: false };
  }
  if (error instanceof ProofRefusedError) return { message: en.run.refused, final: true };
  if (error instanceof ProverError || error instanceof BuyProofError) {
    return { message: `${sentenceOf(error)} ${kept}`, final: endsRun(error) };
  }
  return { message: `${en.run.failed}. ${kept}`, final: false };
}

function inputProblem(error: ProofInputError): RunProblem {
  const words = attestationWords[error.code];
  // The wallet may be attested meanwhile, or its account changed: looking again is free.
  if (words) return { message: words, final: false, help: "attestation" };
  if (error.code === "WRONG_SIGNER") return { message: en.attested.otherAccount, final: false };
  return { message: `${sentenceOf(error)} ${en.run.nothingPaid}`, final: true };
}

/** The message of an error as a sentence. */
function sentenceOf({ message }: Error): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, "")}.`;
}

function endsRun(error: ProverError | BuyProofError): boolean {
  return (
    error.code === "INVALID_INPUTS" || error.code === "JOB_KEY_REUSED" || error.code === "RESULT_MISMATCH"
  );
}
