import { type Hex, keccak256, stringToBytes } from "viem";
import type { CircuitId } from "../deployment";
import { PublicInputError } from "../errors";
import { assertOidcPublicInputs } from "../layouts/oidc";
import { oidcFacts } from "../oidc/claims";
import { decodePublicInputs } from "../registry";
import { oidcWireInputsSchema, type ProveResult } from "../wire";
import { BuyProofError } from "./errors";

export type Expectation = {
  /** Public inputs the input builder computed, if it had the issuer's key set. */
  expectedPublicInputs?: readonly Hex[];
};

/**
 * Rejects OIDC inputs before payment if the client can tell that their token cannot be proven.
 * @throws ProofInputError
 */
export function checkInputs(circuit: CircuitId, inputs: Record<string, unknown>): void {
  if (circuit !== "oidc_domain_attestation") return;
  const { jwt, scope, provider } = oidcWireInputsSchema.parse(inputs);
  oidcFacts(jwt, { scope, provider });
}

/**
 * Checks that a proof matches the request: circuit, canonical words, expected words, and for OIDC every public fact
 * that the token determines.
 * @throws BuyProofError RESULT_MISMATCH naming the field.
 */
export function checkResult(
  asked: { circuit: CircuitId; inputs: Record<string, unknown> | null } & Expectation,
  result: ProveResult,
): void {
  const differs = (field: string) =>
    new BuyProofError("RESULT_MISMATCH", `the proof does not match the request: ${field} differs`);
  if (result.circuit !== asked.circuit) throw differs("circuit");
  try {
    decodePublicInputs(asked.circuit, result.publicInputs);
    if (asked.circuit === "oidc_domain_attestation" && asked.inputs) {
      const { jwt, scope, provider } = oidcWireInputsSchema.parse(asked.inputs);
      assertOidcPublicInputs(result.publicInputs, oidcFacts(jwt, { scope, provider, now: "any" }));
    }
  } catch (error) {
    if (error instanceof PublicInputError) throw differs(error.field);
    throw error;
  }
  const expected = asked.expectedPublicInputs;
  if (
    expected &&
    (expected.length !== result.publicInputs.length ||
      expected.some((word, i) => word.toLowerCase() !== result.publicInputs[i]))
  ) {
    throw differs("publicInputs");
  }
}

/** Hashes circuit and inputs with sorted keys: equal requests have equal hashes. */
export function requestHash(circuit: CircuitId, inputs: Record<string, unknown>): Hex {
  const sorted = JSON.stringify({ circuit, inputs }, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return keccak256(stringToBytes(sorted));
}
