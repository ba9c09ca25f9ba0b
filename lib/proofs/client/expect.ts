import { type Hex, keccak256, stringToBytes } from "viem";
import type { CircuitId } from "../deployment";
import { PublicInputError } from "../errors";
import { assertOidcPublicInputs } from "../layouts/oidc";
import { oidcFacts } from "../oidc/claims";
import { decodePublicInputs } from "../registry";
import { oidcWireInputsSchema, type ProveResult } from "../wire";
import { BuyProofError } from "./errors";

export type Expectation = {
  /** The words the input builder promised, when it had the issuer's key set. */
  expectedPublicInputs?: readonly Hex[];
};

/**
 * Refuses, before anybody pays, OIDC inputs whose token cannot be proven as far as a client can see.
 * @throws ProofInputError
 */
export function checkInputs(circuit: CircuitId, inputs: Record<string, unknown>): void {
  if (circuit !== "oidc_domain_attestation") return;
  const { jwt, scope, provider } = oidcWireInputsSchema.parse(inputs);
  oidcFacts(jwt, { scope, provider });
}

/**
 * Checks that a proof is about what was asked for: circuit, canonical words, the promised words, and for
 * OIDC every public fact the token itself determines.
 * @throws BuyProofError RESULT_MISMATCH naming the field.
 */
export function checkResult(
  asked: { circuit: CircuitId; inputs: Record<string, unknown> | null } & Expectation,
  result: ProveResult,
): void {
  const differs = (field: string) =>
    new BuyProofError("RESULT_MISMATCH", `the proof is not what was asked for: ${field} differs`);
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

/** keccak256 over circuit and inputs with sorted keys: the same request has the same hash. */
export function requestHash(circuit: CircuitId, inputs: Record<string, unknown>): Hex {
  const sorted = JSON.stringify({ circuit, inputs }, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return keccak256(stringToBytes(sorted));
}
