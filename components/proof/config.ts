import type { Chain, CircuitId, Deployment, Issuer, PaymentOffer } from "@/lib/proofs/deployment";

export type PublicIssuer = Pick<
  Issuer,
  "label" | "provider" | "issuer" | "authorizationEndpoint" | "webClientId" | "development"
>;
export type PublicChain = Pick<Chain, "id" | "name" | "publicRpcUrl" | "explorerUrl">;
/** Every field of an offer is public: the browser needs them to refuse any other. */
export type PublicOffer = PaymentOffer;
export interface PublicVerifier {
  readonly circuit: CircuitId;
  readonly chainId: number;
  readonly address: `0x${string}`;
}

/** What the browser may know of the installation; nothing else of it reaches a page. */
export interface PublicConfig {
  readonly mode: Deployment["mode"];
  readonly scope: string;
  readonly srs: Deployment["srs"]["kind"];
  readonly issuers: readonly PublicIssuer[];
  readonly chains: readonly PublicChain[];
  readonly offers: readonly PublicOffer[];
  readonly verifiers: readonly PublicVerifier[];
  readonly proverUrl: string;
  /** DEV_LOGIN=1 in development mode. */
  readonly devLogin: boolean;
}

/**
 * The whitelisted part of the installation's description. Every field is copied by name, so that a field added to
 * the description later stays on the server until somebody adds it here.
 */
export function publicConfig(deployment: Deployment, devLogin = false): PublicConfig {
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
    offers: deployment.offers.map((o) => ({
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
    proverUrl: deployment.services.proverUrl,
    devLogin: devLogin && deployment.mode === "development",
  };
}

function isCircuit(name: string): name is CircuitId {
  return (
    name === "oidc_domain_attestation" ||
    name === "partner_country_attestation" ||
    name === "network_eligibility" ||
    name === "regional_attestation"
  );
}

/** Address of a transaction or contract in the chain's explorer, or null where it has none. */
export function explorerLink(
  config: PublicConfig,
  chainId: number,
  what: "tx" | "address",
  value: string,
): string | null {
  const base = config.chains.find((c) => c.id === chainId)?.explorerUrl;
  return base ? `${base}/${what}/${value}` : null;
}
