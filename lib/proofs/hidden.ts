import type { CircuitId } from "./deployment";

/** What a proof hides about its holder. Guides list these sentences; pages translate them. */
export const hiddenFacts = {
  email: "your email address",
  account: "your name and account at the provider",
  token: "the identity token itself",
  country: "which of the listed countries is yours",
  elsewhere: "where you live instead",
  wallet: "your wallet address",
  documents: "your name and documents",
  attestation: "your attestation: who made it, when, and in which transaction",
} as const;
export type HiddenFact = keyof typeof hiddenFacts;

const ofToken = ["email", "account", "token"] as const;
const ofWallet = ["wallet", "documents", "attestation"] as const;

/** The countries a proof is about, and whether its holder lives in one of them. */
interface Countries {
  readonly countries: readonly string[];
  readonly isIncluded: boolean;
}

/**
 * Returns what a proof of this circuit hides, the most important first.
 * @param rule the list of a country proof; default any list of several countries
 */
export function hiddenBy(circuit: CircuitId, rule?: Countries | null): readonly HiddenFact[] {
  switch (circuit) {
    case "oidc_domain_attestation":
      return ofToken;
    case "network_eligibility":
    case "regional_attestation":
      return ofWallet;
    case "partner_country_attestation":
      if (rule?.isIncluded === false) return ["elsewhere", ...ofWallet];
      // A list of one country reveals the country.
      return rule?.countries.length === 1 ? ofWallet : ["country", ...ofWallet];
  }
}

/** Hidden facts that no input of a proof says: the attester knows them. */
const unseen: ReadonlySet<HiddenFact> = new Set(["documents"]);

/** Returns which hidden facts the inputs of a proof contain: whoever makes the proof sees these. */
export function seenByMaker(circuit: CircuitId): readonly HiddenFact[] {
  return hiddenBy(circuit).filter((fact) => !unseen.has(fact));
}
