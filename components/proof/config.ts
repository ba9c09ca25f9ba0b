import type { Address } from "viem";
import type { BrowserProving } from "@/lib/proofs/artifact";
import type { Chain, CircuitId, Deployment, Issuer, PaymentOffer } from "@/lib/proofs/deployment";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";

export type PublicIssuer = Pick<
  Issuer,
  "label" | "provider" | "issuer" | "authorizationEndpoint" | "webClientId" | "development"
>;
export type PublicChain = Pick<Chain, "id" | "name" | "publicRpcUrl" | "explorerUrl">;
/** Every field of an offer is public: the browser needs them to refuse any other. */
export type PublicOffer = PaymentOffer;

/** The attester of a circuit, and the services that tell whether it attested a wallet. */
export interface PublicAttester {
  readonly circuit: AttestedCircuit;
  readonly chainId: number;
  readonly contract: Address;
  /** The services that see the wallet's address. */
  readonly asks: readonly { readonly what: "index" | "explorer" | "chain"; readonly host: string }[];
}

/** The part of the installation's description that browsers receive. */
export interface PublicConfig {
  readonly mode: Deployment["mode"];
  readonly scope: string;
  readonly srs: Deployment["srs"]["kind"];
  readonly issuers: readonly PublicIssuer[];
  readonly chains: readonly PublicChain[];
  readonly offers: readonly PublicOffer[];
  readonly verifiers: readonly { circuit: CircuitId; chainId: number; address: Address }[];
  readonly attesters: readonly PublicAttester[];
  readonly attestations: Deployment["attestations"];
  /** On development installations, the page that attests a wallet at once. */
  readonly attesterPage: string | null;
  /** The example contract, which accepts actions with a proof. */
  readonly petition: PetitionContract | null;
  readonly proverUrl: string;
  /** Which circuits browsers may prove by themselves, and with what. */
  readonly browserProving: BrowserProving;
  /** DEV_LOGIN=1 in development mode. */
  readonly devLogin: boolean;
}

/** Returns the URL of a transaction or contract in the chain's explorer; null when the chain has none. */
export function explorerLink(
  config: PublicConfig,
  chainId: number,
  what: "tx" | "address",
  value: string,
): string | null {
  const base = config.chains.find((c) => c.id === chainId)?.explorerUrl;
  return base ? `${base}/${what}/${value}` : null;
}

/** Returns the display name of a chain. */
export function chainName(config: Pick<PublicConfig, "chains">, chainId: number): string {
  return config.chains.find((c) => c.id === chainId)?.name ?? `chain ${chainId}`;
}

export interface PetitionContract {
  readonly chainId: number;
  readonly address: Address;
}
