/**
 * Errors of the proof library. Each has a stable `code` for programs and a message for people, and none contains the
 * content of an identity token, a proof or a key.
 */

/** A public input that is not in the only form this circuit's proofs can have. */
export class PublicInputError extends Error {
  override readonly name = "PublicInputError";
  readonly code = "PUBLIC_INPUT_INVALID";
  constructor(
    /** Field name in the registry's layout, or `publicInputs` for the whole list. */
    readonly field: string,
    /** The broken rule, for example "must be below 256". */
    readonly rule: string,
    /** Index of the 32-byte word, if a single word is at fault. */
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

/** Inputs that cannot be proven. `field` names the wire field or token claim, never its value. */
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

/** A pinned issuer's key set, an attestation index or its chain is unreachable. The inputs may be fine: try again later. */
export class TrustUnavailableError extends Error {
  override readonly name = "TrustUnavailableError";
  readonly code = "TRUST_UNAVAILABLE";
}

/** The installation's trust configuration is unsafe; the program must not start. */
export class TrustConfigError extends Error {
  override readonly name = "TrustConfigError";
  readonly code = "TRUST_CONFIG";
}

/** The chain is unreachable, so the proof's validity is unknown: try again later. `cause` is for logs only. */
export class VerificationUnavailableError extends Error {
  override readonly name = "VerificationUnavailableError";
  readonly code = "VERIFICATION_UNAVAILABLE";
}
