import type { CircuitId } from "./deployment";

/** What anyone who sees a proof learns. Guides list these sentences; pages translate them. */
export const revealedFacts = {
  domain: "the domain of your email address",
  countries: "the list of countries and whether yours is in it",
  vouched: "that an accepted attester vouched for your wallet",
  code: "a code that is yours in this community only",
  signer:
    "which identity provider signed, when, for which of our clients, and the one-time code of the sign-in",
  binding: "a hash that binds the proof to your wallet and this community",
  action: "if you authorize an action: the hash of exactly that action",
} as const;
export type RevealedFact = keyof typeof revealedFacts;

const ofEligibility = ["vouched", "code", "action"] as const;

const byCircuit: Readonly<Record<CircuitId, readonly RevealedFact[]>> = {
  oidc_domain_attestation: ["domain", "code", "signer"],
  partner_country_attestation: ["countries", "code", "binding"],
  network_eligibility: ofEligibility,
  regional_attestation: ofEligibility,
};

/** Returns what a proof of this circuit reveals, the most important first. */
export function revealedBy(circuit: CircuitId): readonly RevealedFact[] {
  return byCircuit[circuit];
}
