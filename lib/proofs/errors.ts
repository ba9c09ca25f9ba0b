/**
 * Errors of the proof library. Each carries a stable `code` a program can switch on and a message a person
 * can act on. None ever contains the content of an identity token, a proof or a key.
 */

/** A public input that is not in the one canonical form a proof of this circuit can have. */
export class PublicInputError extends Error {
  override readonly name = "PublicInputError";
  readonly code = "PUBLIC_INPUT_INVALID";
  constructor(
    /** Name of the field as in the registry's layout, or `publicInputs` for the whole list. */
    readonly field: string,
    /** The rule broken, in words: "must be below 256". */
    readonly rule: string,
    /** Index of the 32-byte word, when one word is to blame. */
    readonly word?: number,
  ) {
    super(`${field}${word === undefined ? "" : ` (word ${word})`}: ${rule}`);
  }
}

const proofInputCodes = [
  "TOKEN_MALFORMED",
  "TOKEN_ALG",
  "TOKEN_SIGNATURE",
  "TOKEN_EXPIRED",
  "TOKEN_NOT_YET_VALID",
  "TOKEN_TOO_LONG",
  "KEY_UNKNOWN",
  "KEY_UNSUPPORTED",
  "ISSUER_NOT_TRUSTED",
  "WRONG_AUDIENCE",
  "MACHINE_ACCOUNT",
  "PROVIDER_MISMATCH",
  "CLAIM_MISSING",
  "CLAIM_INVALID",
  "EMAIL_NOT_VERIFIED",
  "SCOPE_INVALID",
  "INPUT_MALFORMED",
  "SCOPE_UNKNOWN",
  "CLAIM_MISMATCH",
  "SIGNATURE_INVALID",
  "WRONG_SIGNER",
  "TRANSACTION_MALFORMED",
  "TRANSACTION_TOO_LONG",
  "WRONG_CHAIN",
  "WRONG_CONTRACT",
  "WRONG_CALL",
  "WRONG_RECIPIENT",
  "ATTESTER_NOT_TRUSTED",
  "ATTESTATION_NOT_FOUND",
  "ATTESTATION_REVERTED",
  "ATTESTATION_REVOKED",
  "ATTESTATION_SUPERSEDED",
  "COUNTRY_LIST_INVALID",
  "COUNTRY_NOT_PROVEN",
  "ACTION_INVALID",
] as const;
export type ProofInputCode = (typeof proofInputCodes)[number];

/** Inputs that no proof can be made from. `field` names the wire field or token claim, never its value. */
export class ProofInputError extends Error {
  override readonly name = "ProofInputError";
  constructor(
    readonly code: ProofInputCode,
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Who we trust could not be asked: the key set of a pinned issuer, or the index or chain an attestation stands in. Try
 * again later; nothing is known against the inputs.
 */
export class TrustUnavailableError extends Error {
  override readonly name = "TrustUnavailableError";
  readonly code = "TRUST_UNAVAILABLE";
}

/** The installation's own trust configuration is unacceptable; refuse to start. */
export class TrustConfigError extends Error {
  override readonly name = "TrustConfigError";
  readonly code = "TRUST_CONFIG";
}

/** The chain could not be asked (see `cause`, for logs only), so the proof is neither valid nor invalid: try again later. */
export class VerificationUnavailableError extends Error {
  override readonly name = "VerificationUnavailableError";
  readonly code = "VERIFICATION_UNAVAILABLE";
}
