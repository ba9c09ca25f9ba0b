import { type CircuitId, circuitIds, type Deployment } from "@/lib/proofs/deployment";
import { attestedCircuits, attestersOf } from "@/lib/proofs/trust/attesters";
import type { PublicAttester, PublicConfig } from "./config";

/**
 * Returns the part of the installation's description that browsers may know; runs on the server. It copies every field by
 * name, so that a field added to the description stays on the server until it is added here.
 */
export function publicConfig(
  deployment: Deployment,
  devLogin = false,
  browserProving: PublicConfig["browserProving"] = { offered: false, reason: "not_offered" },
): PublicConfig {
  const { attestations, examples } = deployment;
  return {
    mode: deployment.mode,
    scope: deployment.scope,
    srs: deployment.srs.kind,
    issuers: deployment.issuers.map(
      ({ label, provider, issuer, authorizationEndpoint, webClientId, development }) => {
        return { label, provider, issuer, authorizationEndpoint, webClientId, development };
      },
    ),
    chains: deployment.chains.map(({ id, name, publicRpcUrl, explorerUrl }) => {
      return { id, name, publicRpcUrl, explorerUrl };
    }),
    // A gateway is paid from a deposit, which browser wallets do not have.
    offers: deployment.offers
      .filter(({ settlement }) => settlement !== "gateway")
      .map(({ eip712: { name, version }, ...o }) => ({
        ...{ chainId: o.chainId, network: o.network, asset: o.asset, symbol: o.symbol, decimals: o.decimals },
        ...{ amount: o.amount, payTo: o.payTo, settlement: o.settlement, eip712: { name, version } },
      })),
    verifiers: Object.entries(deployment.verifiers).flatMap(([circuit, verifier]) =>
      isCircuit(circuit) && verifier
        ? [{ circuit, chainId: verifier.chainId, address: verifier.address }]
        : [],
    ),
    attesters: publicAttesters(deployment),
    attestations: attestations && {
      graphqlUrl: attestations.graphqlUrl,
      explorerUrl: attestations.explorerUrl,
    },
    attesterPage:
      deployment.mode === "development" && attestations?.graphqlUrl
        ? new URL("/", attestations.graphqlUrl).href
        : null,
    petition: examples?.eligibleAction
      ? { chainId: examples.eligibleAction.chainId, address: examples.eligibleAction.address }
      : null,
    proverUrl: deployment.services.proverUrl,
    browserProving,
    devLogin: devLogin && deployment.mode === "development",
  };
}

function isCircuit(name: string): name is CircuitId {
  return circuitIds.some((id) => id === name);
}

/** Returns the attesters of the circuits that have a verifier and a service to look attestations up. */
function publicAttesters(deployment: Deployment): readonly PublicAttester[] {
  const attesters = attestersOf(deployment.mode);
  return attestedCircuits.flatMap((circuit) => {
    const { chainId, contract, source } = attesters[circuit];
    const { graphqlUrl, explorerUrl } = deployment.attestations ?? { graphqlUrl: null, explorerUrl: null };
    const index = source === "graphql" ? graphqlUrl : explorerUrl;
    const chain = deployment.chains.find((c) => c.id === chainId);
    if (!deployment.verifiers[circuit] || !index || !chain) return [];
    const asks = [
      { what: source === "graphql" ? "index" : "explorer", host: new URL(index).host } as const,
      { what: "chain", host: new URL(chain.publicRpcUrl).host } as const,
    ];
    return [{ circuit, chainId, contract, asks }];
  });
}
