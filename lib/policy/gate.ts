import type { ProofType } from "@/lib/contract/proof-requirement";
import type { CircuitId, Provider } from "@/lib/proofs/deployment";
import type { Verdict } from "./verdict";

/** What a gated topic asks of everybody who enters. */
export type Gate =
  | { readonly type: "kyc" }
  | { readonly type: "country"; readonly allowedCountries: readonly string[] }
  | { readonly type: WorkspaceType; readonly requiredDomain: string };

export type WorkspaceType = "workspace_a" | "workspace_b" | "workspace";

/** What an accepted proof or a stored verification says about its holder. */
export interface ProvenFacts {
  readonly circuit: string;
  readonly provider: Provider | null;
  readonly domain: string | null;
  readonly countries: readonly string[] | null;
}

export function isWorkspace(type: ProofType): type is WorkspaceType {
  return type === "workspace_a" || type === "workspace_b" || type === "workspace";
}

/** The circuit whose proof opens a gate of this type. */
export function gateCircuit(type: Gate["type"]): CircuitId {
  switch (type) {
    case "kyc":
      return "network_eligibility";
    case "country":
      return "partner_country_attestation";
    case "workspace_a":
    case "workspace_b":
    case "workspace":
      return "oidc_domain_attestation";
  }
}

/** Identity provider a gate insists on; null when any will do. */
export function gateProvider(type: Gate["type"]): Provider | null {
  if (type === "workspace_a") return "provider_a";
  if (type === "workspace_b") return "provider_b";
  return null;
}

/**
 * Whether what was proven opens the gate.
 *
 * Country: every country of the proven list must be in the topic's, because the proof says only that the
 * holder's country is one of its list.
 */
export function gateVerdict(gate: Gate, proven: ProvenFacts): Verdict {
  if (proven.circuit !== gateCircuit(gate.type)) return "proof_wrong_circuit";
  switch (gate.type) {
    case "kyc":
      return "allowed";
    case "country": {
      const countries = proven.countries ?? [];
      const inside = countries.length > 0 && countries.every((c) => gate.allowedCountries.includes(c));
      return inside ? "allowed" : "country_not_allowed";
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
