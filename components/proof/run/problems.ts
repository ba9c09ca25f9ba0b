import { ApiError, sentence } from "@/components/api";
import { PayerNotSeparateError } from "@/components/wallet/signer";
import type { Words } from "@/lib/i18n/words";
import { BuyProofError, ProverError } from "@/lib/proofs/client";
import {
  type ProofInputCode,
  ProofInputError,
  TrustUnavailableError,
  VerificationUnavailableError,
} from "@/lib/proofs/errors";
import { BrowserProvingError } from "../browser/errors";
import { ProofRefusedError } from "./accept";
import { RequestEndingError } from "./challenge";
import type { RunProblem } from "./types";

/** Error codes of our server after which the same proof can be submitted again. */
const TRANSIENT_CODES = new Set([
  "verification_unavailable",
  "network",
  "rate_limited",
  "internal",
  "nickname_required",
]);

/** Whether the user declined in the wallet (EIP-1193 code 4001, which some wallets nest). */
function wasDeclined(error: unknown): boolean {
  for (let at: unknown = error; typeof at === "object" && at !== null; at = "cause" in at ? at.cause : null) {
    if ("code" in at && at.code === 4001) return true;
    if ("name" in at && at.name === "UserRejectedRequestError") return true;
  }
  return false;
}

/** Problems that a new attestation solves. */
const attestationProblems = {
  ATTESTATION_NOT_FOUND: "notFound",
  ATTESTATION_REVERTED: "notFound",
  ATTESTATION_REVOKED: "revoked",
  ATTESTATION_SUPERSEDED: "superseded",
  ATTESTER_NOT_TRUSTED: "untrusted",
} as const satisfies Partial<Record<ProofInputCode, string>>;

function isAttestationProblem(code: string): code is keyof typeof attestationProblems {
  return Object.hasOwn(attestationProblems, code);
}

/** Returns the problem to show for anything that a run can fail with. */
export function problemOf(words: Words, error: unknown, paid: boolean): RunProblem {
  if (error instanceof ApiError) {
    const late = paid && error.code === "challenge_unknown";
    return {
      message: late ? words.t("paid.tooLate") : sentence(words, error),
      final: !TRANSIENT_CODES.has(error.code),
    };
  }
  if (error instanceof RequestEndingError) return { message: words.t("relay.ending"), final: true };
  if (error instanceof BrowserProvingError) return problemHere(words, error);
  if (error instanceof ProofInputError) return inputProblem(words, error);
  if (wasDeclined(error)) return { message: words.t("wallet.rejected"), final: false };
  if (error instanceof PayerNotSeparateError) return { message: words.t("wallet.notSeparate"), final: false };
  if (error instanceof ProverError && error.code === "PAYMENT_ALREADY_USED") {
    return { message: words.t("run.spent"), final: true };
  }
  const kept = paid ? words.t("run.paidKept") : words.t("run.nothingPaid");
  if (error instanceof TrustUnavailableError) {
    return { message: `${words.t("attested.unavailable")} ${kept}`, final: false };
  }
  if (error instanceof VerificationUnavailableError) {
    return { message: `${words.t("run.chainSilent")} ${kept}`, final: false };
  }
  if (error instanceof ProofRefusedError) return { message: words.t("run.refused"), final: true };
  if (error instanceof ProverError || error instanceof BuyProofError) {
    return { message: `${sentenceOf(error)} ${kept}`, final: endsRun(error) };
  }
  return { message: `${words.t("run.failed")}. ${kept}`, final: false };
}

/** Returns the problem of a proof in this browser. Unless it is final, the inputs stay for another try or prover. */
function problemHere(words: Words, { code }: BrowserProvingError): RunProblem {
  const final = code === "unprovable" || code === "result_mismatch";
  return { message: words.t(`prover.problems.${code}`), final, ...(final ? {} : { otherProver: true }) };
}

function inputProblem(words: Words, error: ProofInputError): RunProblem {
  // The user can get an attestation or change the account: looking again is free.
  if (isAttestationProblem(error.code)) {
    const message = words.t(`attested.${attestationProblems[error.code]}`);
    return { message, final: false, help: "attestation" };
  }
  if (error.code === "WRONG_SIGNER") return { message: words.t("attested.otherAccount"), final: false };
  return { message: `${sentenceOf(error)} ${words.t("run.nothingPaid")}`, final: true };
}

/** Returns an error's message as a sentence. */
function sentenceOf({ message }: Error): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, "")}.`;
}

function endsRun(error: ProverError | BuyProofError): boolean {
  return (
    error.code === "INVALID_INPUTS" || error.code === "JOB_KEY_REUSED" || error.code === "RESULT_MISMATCH"
  );
}
