import type { Hex } from "viem";
import type { CircuitId } from "./deployment";
import { hiddenBy, hiddenFacts } from "./hidden";
import { type CountryPublicInputs, countryLayout, decodeCountryPublicInputs } from "./layouts/country";
import {
  decodeEligibilityPublicInputs,
  type EligibilityPublicInputs,
  eligibilityLayout,
} from "./layouts/eligibility";
import { decodeOidcPublicInputs, type OidcPublicInputs, oidcLayout } from "./layouts/oidc";
import { revealedBy, revealedFacts } from "./revealed";
import { type LayoutRow, wordCount } from "./words";

/**
 * What a circuit's wallet signs: nothing, a message of 32 bytes (EIP-191), or a message or an action (EIP-712). In the
 * order of contract VerifierFront's `SignedDigest`.
 */
export const signedDigests = ["none", "message", "message_or_action"] as const;
export type SignedDigest = (typeof signedDigests)[number];

/** Facts about one circuit for programs, guides and pages. */
export type CircuitInfo = {
  readonly id: CircuitId;
  readonly displayName: string;
  /** One or two sentences for people. */
  readonly description: string;
  /** What anyone who sees the proof learns. */
  readonly reveals: readonly string[];
  /** What the proof hides; the prover service still sees the inputs (see the guide). */
  readonly hides: readonly string[];
  /** EIP-155 id of the chain with the verifier contract. */
  readonly verificationChainId: number;
  readonly layout: readonly LayoutRow[];
  /** Number of 32-byte public-input words that callers pass. */
  readonly publicWords: number;
  /** Which digest a verifier appends to these words; see signed-digest.ts. */
  readonly signedDigest: SignedDigest;
  /** Usual price in atomic units of a 6-decimal dollar token; the live offer decides. */
  readonly priceAtomic: bigint;
};

const PRICE_ATOMIC = 100_000n;

type Description = Omit<CircuitInfo, "id" | "layout" | "publicWords" | "priceAtomic" | "reveals" | "hides">;

function circuit(id: CircuitId, layout: readonly LayoutRow[], about: Description): CircuitInfo {
  const reveals = revealedBy(id).map((fact) => revealedFacts[fact]);
  const hides = hiddenBy(id).map((fact) => hiddenFacts[fact]);
  return { id, layout, publicWords: wordCount(layout), priceAtomic: PRICE_ATOMIC, reveals, hides, ...about };
}

export const circuits: Readonly<Record<CircuitId, CircuitInfo>> = {
  oidc_domain_attestation: circuit("oidc_domain_attestation", oidcLayout, {
    displayName: "Email domain",
    description:
      "Proves that you hold an account with a verified email address of a domain, without showing the address.",
    verificationChainId: 8453,
    signedDigest: "none",
  }),
  partner_country_attestation: circuit("partner_country_attestation", countryLayout, {
    displayName: "Country of residence",
    description: "Proves that your attested country of residence is, or is not, in a list of countries.",
    verificationChainId: 8453,
    signedDigest: "message",
  }),
  network_eligibility: circuit("network_eligibility", eligibilityLayout, {
    displayName: "Verified person",
    description:
      "Proves that your wallet holds the accepted identity check, and can authorize one exact action with it.",
    verificationChainId: 5042002,
    signedDigest: "message_or_action",
  }),
  regional_attestation: circuit("regional_attestation", eligibilityLayout, {
    displayName: "Verified person (test network)",
    description:
      "Proves that your wallet holds the accepted attestation on the test network, and can authorize one exact action with it.",
    verificationChainId: 91342,
    signedDigest: "message_or_action",
  }),
};

/** Public facts of a proof, by circuit. */
export type PublicFacts =
  | ({ circuit: "oidc_domain_attestation" } & OidcPublicInputs)
  | ({ circuit: "partner_country_attestation" } & CountryPublicInputs)
  | ({ circuit: "network_eligibility" | "regional_attestation" } & EligibilityPublicInputs);

/**
 * Decodes the public inputs of any circuit. Rejects every non-canonical form.
 * @param input 32-byte words, or one hex blob of them.
 * @throws PublicInputError naming field and rule.
 */
export function decodePublicInputs(
  circuitId: CircuitId,
  input: Hex | string | readonly string[],
): PublicFacts {
  switch (circuitId) {
    case "oidc_domain_attestation":
      return { circuit: circuitId, ...decodeOidcPublicInputs(input) };
    case "partner_country_attestation":
      return { circuit: circuitId, ...decodeCountryPublicInputs(input) };
    case "network_eligibility":
    case "regional_attestation":
      return { circuit: circuitId, ...decodeEligibilityPublicInputs(input) };
  }
}

/** Returns the rows whose words are bytes, lengths or flags. */
function byteRows(circuitId: CircuitId): LayoutRow[] {
  return circuits[circuitId].layout.filter(({ encoding }) => encoding !== "limb120" && encoding !== "uint");
}

/**
 * Returns the mask of words that must be below 256: bit i is set if public input i is a byte, a length or a flag.
 * Contract `VerifierFront` takes the low 256 bits as `byteWords` and the rest as `byteWordsHigh`.
 */
export function byteWordMask(circuitId: CircuitId): bigint {
  return byteRows(circuitId).reduce(
    (mask, { from, count }) => mask | (((1n << BigInt(count)) - 1n) << BigInt(from)),
    0n,
  );
}

/** Returns the layout that the circuit's VerifierFront is deployed with. */
export function publicInputLayout(circuitId: CircuitId) {
  const { publicWords: count, signedDigest } = circuits[circuitId];
  const byteWords = byteRows(circuitId).map((row) => ({ from: row.from, count: row.count }));
  return { count, byteWords, signedDigest };
}
