import type { Hex } from "viem";
import { scopeWord } from "@/lib/proofs/derivations";
import { VerificationUnavailableError } from "@/lib/proofs/errors";
import { encodeOidcPublicInputs, type OidcPublicInputs } from "@/lib/proofs/layouts/oidc";
import type { VerifyRequest } from "@/lib/proofs/verify";
import type { AcceptorParts } from "@/lib/session/authorize";

/** Stands for the one key that the test installation's issuer has. */
export const trustedModulus = (1n << 2047n) + 12345n;
/** Stands for a key somebody made himself. */
export const selfMadeModulus = (1n << 2047n) + 54321n;

/** Clients of the test installation's issuer. */
export const webClientId = "parley-web";
export const deviceClientId = "parley-agent";

export const testTrust: AcceptorParts["trust"] = {
  signersOf: async (provider, modulus) =>
    provider === "provider_a" && modulus === trustedModulus ? [{ webClientId, deviceClientId }] : [],
};

/** A chain whose answer the test chooses, and that remembers what it was asked. */
export function fakeChain() {
  const asked: VerifyRequest[] = [];
  const chain = {
    asked,
    answer: "valid" as "valid" | "invalid" | "unavailable",
    verify: async (request: VerifyRequest): Promise<"valid" | "invalid"> => {
      asked.push(request);
      if (chain.answer === "unavailable") throw new VerificationUnavailableError("the chain is asleep");
      return chain.answer;
    },
  };
  return chain;
}

/** Some nullifier, told apart by a number. */
export function nullifier(n: number): Hex {
  return `0x${n.toString(16).padStart(64, "0")}`;
}

/** The body of a proof that is right in everything but what a test changes; without nonce, the device client's. */
export function proofBody(facts: Partial<OidcPublicInputs> = {}) {
  return {
    circuit: "oidc_domain_attestation",
    proof: "0x0123",
    publicInputs: encodeOidcPublicInputs({
      modulus: trustedModulus,
      domain: "example.org",
      scope: scopeWord("zk-community"),
      nullifier: nullifier(1),
      provider: "provider_a",
      nonce: null,
      iat: Math.floor(Date.now() / 1000),
      audience: facts.nonce ? webClientId : deviceClientId,
      ...facts,
    }),
  };
}
