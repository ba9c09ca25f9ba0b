import type { PublicConfig } from "@/components/proof/config";
import type { Demand } from "@/components/proof/demand";
import type { contract, ResponseBody } from "@/lib/contract";
import type { Ask } from "./use-request";

type Request = ResponseBody<typeof contract.auth.getProofRequest>;

/** Returns what a proof request asks for; null when this installation cannot make such a proof. */
export function demandOfRequest(request: Request, config: PublicConfig): Demand | null {
  const { circuitType: circuit, scope, provider, domain, countryList, isIncluded } = request;
  if (circuit === "oidc_domain_attestation") {
    const issuers = config.issuers.filter((issuer) => provider === null || issuer.provider === provider);
    return { kind: "domain", issuers, domain };
  }
  if (!config.attesters.some((attester) => attester.circuit === circuit)) return null;
  const list = countryList && { countries: countryList, isIncluded: isIncluded ?? true };
  return { kind: "wallet", statement: { circuit, scope, list, action: null } };
}

/** Returns the proof request that a phone can answer for a demand; null when a phone cannot. */
export function askOfDemand(demand: Demand): Ask | null {
  if (demand.kind === "domain") {
    const providers = new Set(demand.issuers.map(({ provider }) => provider));
    const [provider] = providers;
    return {
      circuitType: "oidc_domain_attestation",
      ...(demand.domain !== null && { domain: demand.domain }),
      ...(providers.size === 1 && provider && { provider }),
    };
  }
  const { circuit, list } = demand.statement;
  if (circuit === "regional_attestation") return null;
  return {
    circuitType: circuit,
    ...(list && { countryList: [...list.countries], isIncluded: list.isIncluded }),
  };
}
