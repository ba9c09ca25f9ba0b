import type { ProofType } from "@/lib/contract/proof-requirement";
import type { CircuitId, Provider } from "@/lib/proofs/deployment";
import type { Decision } from "./decision";

/** A set of countries: those listed, or (not `included`) all but those listed. */
export interface CountrySet {
  /** ISO 3166-1 alpha-2 codes. */
  readonly countries: readonly string[];
  readonly included: boolean;
}

/** What a gated topic asks of everybody who enters. */
export type Gate =
  | { readonly type: "kyc" }
  | { readonly type: "country"; readonly permitted: CountrySet }
  | { readonly type: WorkspaceType; readonly requiredDomain: string };

export type WorkspaceType = "workspace_a" | "workspace_b" | "workspace";

/** What an accepted proof or a stored verification says about its holder. */
export interface ProvenFacts {
  readonly circuit: string;
  readonly provider: Provider | null;
  readonly domain: string | null;
  readonly countries: readonly string[] | null;
  /** Whether the holder lives in one of `countries` or in none of them; null exactly when they are. */
  readonly countriesIncluded: boolean | null;
}

export function isWorkspace(type: ProofType): type is WorkspaceType {
  return type === "workspace_a" || type === "workspace_b" || type === "workspace";
}

const gateCircuits = {
  kyc: "network_eligibility",
  country: "partner_country_attestation",
  workspace_a: "oidc_domain_attestation",
  workspace_b: "oidc_domain_attestation",
  workspace: "oidc_domain_attestation",
} as const satisfies Readonly<Record<Gate["type"], CircuitId>>;

/** The circuit whose proof opens a gate of this type. */
export function gateCircuit<T extends Gate["type"]>(type: T): (typeof gateCircuits)[T] {
  return gateCircuits[type];
}

/**
 * Returns the most specific gate that a proof of this circuit may open; null for a circuit that opens none.
 * @param provider the identity provider that the proof names
 */
export function gateTypeOf(circuit: string, provider: string | null): Gate["type"] | null {
  const types = ["kyc", "country", "workspace_a", "workspace_b", "workspace"] as const;
  const opens = (type: Gate["type"]) =>
    gateCircuit(type) === circuit && (gateProvider(type) ?? provider) === provider;
  return types.find(opens) ?? null;
}

/** Identity provider a gate insists on; null when any will do. */
export function gateProvider(type: ProofType): Provider | null {
  if (type === "workspace_a") return "provider_a";
  if (type === "workspace_b") return "provider_b";
  return null;
}

/**
 * Whether every country that a proof leaves possible for its holder is a permitted one: a proof says only that the
 * holder's country is one of a list, or none of it.
 */
export function countriesWithin(possible: CountrySet, permitted: CountrySet): boolean {
  const listed = (code: string) => permitted.countries.includes(code);
  if (!possible.included) {
    // All countries but a few: never within a list, and within "all but X" when X is among those few.
    return !permitted.included && permitted.countries.every((code) => possible.countries.includes(code));
  }
  // No circuit proves the empty list; said by anything else, it says nothing.
  if (possible.countries.length === 0) return false;
  return permitted.included ? possible.countries.every(listed) : !possible.countries.some(listed);
}

/** The list of a country gate as the two fields of topics and proof requirements; of other gates, neither. */
export function countryFields(gate: Gate | null) {
  const permitted = gate?.type === "country" ? gate.permitted : null;
  const list = permitted ? [...permitted.countries] : null;
  return {
    allowedCountries: permitted?.included ? list : null,
    excludedCountries: permitted?.included === false ? list : null,
  };
}

/** Whether what was proven opens the gate. */
export function gateDecision(gate: Gate, proven: ProvenFacts): Decision {
  if (proven.circuit !== gateCircuit(gate.type)) return "proof_wrong_circuit";
  switch (gate.type) {
    case "kyc":
      return "allowed";
    case "country": {
      const { countries, countriesIncluded: included } = proven;
      if (countries === null || included === null) return "country_not_allowed";
      return countriesWithin({ countries, included }, gate.permitted) ? "allowed" : "country_not_allowed";
    }
    case "workspace_a":
    case "workspace_b":
    case "workspace": {
      const provider = gateProvider(gate.type);
      if (provider && proven.provider !== provider) return "proof_wrong_circuit";
      return proven.domain?.toLowerCase() === gate.requiredDomain ? "allowed" : "domain_not_allowed";
    }
  }
}
