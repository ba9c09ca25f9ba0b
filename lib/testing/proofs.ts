import { type Hex, keccak256, numberToHex } from "viem";
import type { CircuitId } from "@/lib/proofs/deployment";
import { eligibilitySignalHash, scopeWord } from "@/lib/proofs/derivations";
import { VerificationUnavailableError } from "@/lib/proofs/errors";
import { type CountryPublicInputs, encodeCountryPublicInputs } from "@/lib/proofs/layouts/country";
import {
  type EligibilityPublicInputs,
  encodeEligibilityPublicInputs,
} from "@/lib/proofs/layouts/eligibility";
import { encodeOidcPublicInputs, type OidcPublicInputs } from "@/lib/proofs/layouts/oidc";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import type { VerifyRequest } from "@/lib/proofs/verify";
import type { AcceptorParts } from "@/lib/session/authorize";

/** Stands for the one key that the test installation's issuer has. */
export const trustedModulus = (1n << 2047n) + 12345n;
/** Stands for a key somebody made himself. */
export const selfMadeModulus = (1n << 2047n) + 54321n;

/** Clients of the test installation's issuer. */
export const webClientId = "parley-web";
export const deviceClientId = "parley-agent";

/** Scope of the test installation. */
const scope = "zk-community";

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
  return numberToHex(n, { size: 32 });
}

let proofs = 0;

/** Bytes a proof may have, different at every call: four words that are in the fields. */
export function proofBytes(): Hex {
  proofs += 1;
  const word = (i: number) => keccak256(numberToHex(proofs * 4 + i)).slice(4);
  return `0x${[0, 1, 2, 3].map((i) => `00${word(i)}`).join("")}`;
}

/** A proof as clients hand it in. */
export interface ProofBody {
  readonly circuit: CircuitId;
  readonly proof: Hex;
  readonly publicInputs: Hex[];
}

/** The body of a proof that is right in everything but what a test changes; without nonce, the device client's. */
export function proofBody(facts: Partial<OidcPublicInputs> = {}): ProofBody {
  return {
    circuit: "oidc_domain_attestation",
    proof: proofBytes(),
    publicInputs: encodeOidcPublicInputs({
      modulus: trustedModulus,
      domain: "example.org",
      scope: scopeWord(scope),
      nullifier: nullifier(1),
      provider: "provider_a",
      nonce: null,
      iat: Math.floor(Date.now() / 1000),
      audience: facts.nonce ? webClientId : deviceClientId,
      ...facts,
    }),
  };
}

/** The same of a country proof: who lives in KR or JP. Its proof bytes are new at every call. */
export function countryBody(facts: Partial<CountryPublicInputs> = {}): ProofBody {
  const circuit = "partner_country_attestation";
  return {
    circuit,
    proof: proofBytes(),
    publicInputs: encodeCountryPublicInputs({
      signalHash: keccak256(facts.nullifier ?? nullifier(1)),
      merkleRoot: attestersOf("development")[circuit].root,
      countries: ["KR", "JP"],
      isIncluded: true,
      scope: scopeWord(scope),
      nullifier: nullifier(1),
      ...facts,
    }),
  };
}

type EligibilityFacts = Partial<EligibilityPublicInputs> & {
  readonly circuit?: "network_eligibility" | "regional_attestation";
  /** Of the challenge answered; it makes the signal hash. */
  readonly nonce?: string;
};

/** The same of an eligibility proof in identity mode. */
export function kycBody({
  circuit = "network_eligibility",
  nonce,
  ...facts
}: EligibilityFacts = {}): ProofBody {
  return {
    circuit,
    proof: proofBytes(),
    publicInputs: encodeEligibilityPublicInputs({
      signalHash: eligibilitySignalHash(circuit, scope, nonce ?? "no challenge"),
      action: null,
      merkleRoot: attestersOf("development")[circuit].root,
      scope: scopeWord(scope),
      nullifier: nullifier(1),
      ...facts,
    }),
  };
}
