import type { ProofType } from "@/lib/contract/proof-requirement";
import type { CircuitId, Provider } from "@/lib/proofs/deployment";
import type { Decision } from "./decision";

/** A set of countries: those listed or, unless `included`, all but those listed. */
export interface CountrySet {
  /** ISO 3166-1 alpha-2 codes. */
  readonly countries: readonly string[];
  readonly included: boolean;
}

/** What a gated topic asks of everyone who joins. */
export type Gate =
  | { readonly type: "kyc" }
  | { readonly type: "country"; readonly permitted: CountrySet }
  | { readonly type: WorkspaceType; readonly requiredDomain: string };

export type WorkspaceType = "workspace_a" | "workspace_b" | "workspace";

/** What was proven about a person. */
export interface HolderFacts {
  readonly domain: string | null;
  readonly countries: readonly string[] | null;
  /** Whether the holder lives in one of `countries` or in none of them; null if and only if `countries` is null. */
  readonly countriesIncluded: boolean | null;
}

/** What an accepted proof or a stored verification says. */
export interface ProvenFacts extends HolderFacts {
  readonly circuit: string;
  readonly provider: Provider | null;
}

export function isWorkspace(type: ProofType): type is WorkspaceType {
  return type === "workspace_a" || type === "workspace_b" || type === "workspace";
}

const GATE_CIRCUITS = {
  kyc: "network_eligibility",
  country: "partner_country_attestation",
  workspace_a: "oidc_domain_attestation",
  workspace_b: "oidc_domain_attestation",
  workspace: "oidc_domain_attestation",
} as const satisfies Readonly<Record<Gate["type"], CircuitId>>;

/** Returns the circuit whose proof opens a gate of this type. */
export function gateCircuit<T extends Gate["type"]>(type: T): (typeof GATE_CIRCUITS)[T] {
  return GATE_CIRCUITS[type];
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

/** Returns the identity provider a gate requires; null if it accepts any. */
export function gateProvider(type: ProofType): Provider | null {
  if (type === "workspace_a") return "provider_a";
  if (type === "workspace_b") return "provider_b";
  return null;
}

/**
 * Whether every country that a proof leaves possible is permitted. A proof says only that the holder's country is on a
 * list, or not on it.
 */
export function countriesWithin(possible: CountrySet, permitted: CountrySet): boolean {
  const listed = (code: string) => permitted.countries.includes(code);
  if (!possible.included) {
    // "All but these" is never within a list, and is within "all but X" if it excludes X too.
    return !permitted.included && permitted.countries.every((code) => possible.countries.includes(code));
  }
  // No circuit proves an empty list, so an empty list proves nothing.
  if (possible.countries.length === 0) return false;
  return permitted.included ? possible.countries.every(listed) : !possible.countries.some(listed);
}

/** Returns the list of a country gate as the two fields of topics and proof requirements; otherwise both are null. */
export function countryFields(gate: Gate | null) {
  const permitted = gate?.type === "country" ? gate.permitted : null;
  const list = permitted ? [...permitted.countries] : null;
  return {
    allowedCountries: permitted?.included ? list : null,
    excludedCountries: permitted?.included === false ? list : null,
  };
}

/** Decides whether the proven facts open the gate. */
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
