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
interface PublicVerifier {
  readonly circuit: CircuitId;
  readonly chainId: number;
  readonly address: `0x${string}`;
}

/** Who vouches for wallets in a kind of proof that can be made here, and who is asked whether they did. */
export interface PublicAttester {
  readonly circuit: AttestedCircuit;
  /** Chain the attestations are on. */
  readonly chainId: number;
  /** The attester's contract there. */
  readonly contract: `0x${string}`;
  /** Whom this browser asks about a wallet's address. */
  readonly asks: readonly { readonly what: "index" | "explorer" | "chain"; readonly host: string }[];
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
  readonly attesters: readonly PublicAttester[];
  readonly attestations: Deployment["attestations"];
  /** Where a wallet is vouched for at once, on development installations. */
  readonly attesterPage: string | null;
  /** The example contract that takes actions with a proof. */
  readonly petition: PetitionContract | null;
  readonly proverUrl: string;
  /** What is offered to browsers that make their proofs by themselves. */
  readonly browserProving: BrowserProving;
  /** DEV_LOGIN=1 in development mode. */
  readonly devLogin: boolean;
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

/** The name of a chain, as people read it. */
export function chainName(config: Pick<PublicConfig, "chains">, chainId: number): string {
  return config.chains.find((c) => c.id === chainId)?.name ?? `chain ${chainId}`;
}

/** Where the example contract stands. */
export interface PetitionContract {
  readonly chainId: number;
  readonly address: Address;
}
