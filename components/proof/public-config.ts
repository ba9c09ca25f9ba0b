import { type CircuitId, circuitIds, type Deployment, type PaymentOffer } from "@/lib/proofs/deployment";
import { attestedCircuits, attestersOf } from "@/lib/proofs/trust/attesters";
import type { PublicAttester, PublicConfig } from "./config";

/**
 * The whitelisted part of the installation's description; runs on the server. Every field is copied by name, so that
 * a field added to the description later stays on the server until somebody adds it here.
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
    issuers: deployment.issuers.map((i) => ({
      label: i.label,
      provider: i.provider,
      issuer: i.issuer,
      authorizationEndpoint: i.authorizationEndpoint,
      webClientId: i.webClientId,
      development: i.development,
    })),
    chains: deployment.chains.map((c) => ({
      id: c.id,
      name: c.name,
      publicRpcUrl: c.publicRpcUrl,
      explorerUrl: c.explorerUrl,
    })),
    // A gateway takes deposits, which a browser's wallet has none of.
    offers: deployment.offers.filter(isPaidByWallet).map((o) => ({
      chainId: o.chainId,
      network: o.network,
      asset: o.asset,
      symbol: o.symbol,
      decimals: o.decimals,
      amount: o.amount,
      payTo: o.payTo,
      settlement: o.settlement,
      eip712: { name: o.eip712.name, version: o.eip712.version },
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

function isPaidByWallet({ settlement }: PaymentOffer): boolean {
  return settlement !== "gateway";
}

function isCircuit(name: string): name is CircuitId {
  return circuitIds.some((id) => id === name);
}

/** The attesters of every circuit that has both a verifier and a place to look attestations up. */
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
