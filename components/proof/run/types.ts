import type { Address, Hex } from "viem";
import type { Action } from "@/lib/proofs/attestation/action";
import type { FoundAttestation } from "@/lib/proofs/attestation/find";
import type { CircuitId, Provider } from "@/lib/proofs/deployment";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import type { ProvingProgress } from "../browser/messages";
import type { PetitionContract, PublicOffer } from "../config";
import type { ProverChoice } from "../prover-choice";

/** Every stage a proof may have, in the order they are shown; which of them one has: `stagesOf`. */
export const stages = [
  "identity",
  "sign",
  "price",
  "payment",
  "prepare",
  "witness",
  "proving",
  "checking",
  "sealed",
] as const;
export type Stage = (typeof stages)[number];

/** A list of countries, and whether one of them is meant or none. */
export interface CountryRule {
  /** 1 to 10 ISO 3166-1 alpha-2 codes. */
  readonly countries: readonly string[];
  readonly isIncluded: boolean;
}

/** The body of a topic's creation, as the form made it. */
export interface NewTopicBody {
  readonly title: string;
  readonly categoryId: string;
  readonly description?: string;
  readonly visibility: "public" | "private" | "secret";
  readonly proofType: "workspace" | "workspace_a" | "workspace_b" | "kyc" | "country";
  readonly requiredDomain?: string;
  readonly allowedCountries?: string[];
  readonly excludedCountries?: string[];
  /** Address of an upload. */
  readonly image?: string;
}

/** What the proof is wanted for. */
export type Purpose =
  | { readonly kind: "sign-in" }
  | { readonly kind: "join"; readonly topicId: string; readonly title: string }
  | { readonly kind: "invite"; readonly code: string; readonly topicId: string; readonly title: string }
  | { readonly kind: "create"; readonly topic: NewTopicBody }
  /** Another device asked for it, by this request; the proof goes there. */
  | { readonly kind: "relay"; readonly requestId: string }
  /** The proof authorises a signature under this statement; it goes to the contract, not to our server. */
  | { readonly kind: "petition"; readonly statement: string; readonly contract: PetitionContract };

export interface StageTime {
  readonly start: number;
  readonly end?: number;
}

interface RunPayment {
  readonly network: string;
  readonly amount: string;
  readonly payer: string;
  /** Set once it is on chain. */
  readonly transaction?: string;
}

/** What helps beyond trying again: getting vouched for. */
type Help = "attestation";

export interface RunProblem {
  readonly message: string;
  /** False when the same run can go on: resend, retry the check. True when only a new start helps. */
  readonly final: boolean;
  readonly help?: Help;
  /** Another prover may do what this browser could not. */
  readonly otherProver?: boolean;
}

/** The proof as our server takes it. */
export interface RunProof {
  readonly circuit: string;
  readonly proof: Hex;
  readonly publicInputs: readonly Hex[];
}

export interface Sealed {
  readonly needsNickname: boolean;
  /** The join waits for approval. */
  readonly pending: boolean;
  /** Where to go on. */
  readonly next: string;
}

/** A challenge of our server that the proof answers. */
export interface RunChallenge {
  readonly id: string;
  /** Goes into the provider's `nonce`, or into what the wallet signs. */
  readonly nonce: string;
  /** Unix milliseconds after which it is void. */
  readonly expiresAt: number;
}

/** A proof from an identity provider's signature. */
interface DomainSubject {
  readonly kind: "domain";
  /** OAuth state: ties the provider's answer to this tab. */
  readonly state: string;
  readonly provider: Provider;
  readonly issuer: string;
  /** The domain the gate asks for; null when any will do. */
  readonly requiredDomain: string | null;
  /** The provider's signed token; removed as soon as the proof is there. */
  readonly token: string | null;
  /** The domain the proof shows, once it is there. */
  readonly domain: string | null;
}

/** What a proof from a wallet's attestation says. */
export interface WalletStatement {
  readonly circuit: AttestedCircuit;
  /** Scope string: nullifiers of one person differ from scope to scope. */
  readonly scope: string;
  /** Country circuit: exactly the gate's own list, so that nothing more shows than the gate asks. */
  readonly list: CountryRule | null;
  /** What the wallet authorises with the proof, instead of answering a challenge; known once the account is. */
  readonly action: Action | null;
}

/** A proof from what an attester wrote about a wallet. */
export interface WalletSubject extends WalletStatement {
  readonly kind: "wallet";
  /** Id of the wallet that holds the attestation. It pays only when the payer was chosen to be it. */
  readonly holderId: string;
  readonly holder: Address | null;
  /** Stays in this tab until the proof is there. */
  readonly attestation: FoundAttestation | null;
  /** Over `signingRequest`; stays in this tab until the proof is there. */
  readonly signature: Hex | null;
}

export type Subject = DomainSubject | WalletSubject;

/** From which wallet and on which chain a proof is paid. */
export interface PayChoice {
  /** "" while nothing is chosen. */
  readonly walletId: string;
  readonly network: string;
}

/** A run as it is kept for this tab, so that a reload or the trip to the provider loses nothing. */
export interface Run extends PayChoice {
  /** Also the job key of the payment store: one run never pays twice. */
  readonly id: string;
  readonly purpose: Purpose;
  /** Page that shows the run. */
  readonly page: string;
  /** Who makes the proof. */
  readonly prover: ProverChoice;
  /** What an own prover asks, once it was asked; the installation's prover is known before. */
  readonly offers: readonly PublicOffer[] | null;
  /** How far a proof made here is. */
  readonly here: ProvingProgress | null;
  /** Whether the circuit's key had to be made here first. */
  readonly keyMade?: boolean;
  /** Where the user goes when it is done. */
  readonly next: string;
  /** Null where nothing waits for an answer: actions, and wallets that have not signed yet. */
  readonly challenge: RunChallenge | null;
  readonly subject: Subject;
  readonly stage: Stage;
  readonly times: Partial<Readonly<Record<Stage, StageTime>>>;
  /** Jobs ahead while queued. */
  readonly position: number | null;
  /** Expected milliseconds until the proof is there, while queued. */
  readonly queueMs: number | null;
  /** Expected milliseconds of proving, as the prover estimates. */
  readonly expectedMs: number | null;
  readonly payment: RunPayment | null;
  /** It has paid, and the prover needs once more what this device kept nowhere: the person signs in or signs again. */
  readonly inputsNeeded: boolean;
  readonly proof: RunProof | null;
  readonly problem: RunProblem | null;
  readonly sealed: Sealed | null;
}

/** What a run may change while it goes on. */
export type RunPatch = Partial<Omit<Run, "id" | "purpose" | "page">>;

/**
 * The stages of a run, in order: a wallet signs here, an identity provider elsewhere; a proof made here costs nothing and
 * needs things to be fetched.
 */
export function stagesOf({ subject, prover }: Pick<Run, "subject" | "prover">): readonly Stage[] {
  const here = prover.kind === "browser";
  const left = new Set<Stage>([
    ...(subject.kind === "wallet" ? [] : (["sign"] as const)),
    ...(here ? (["price", "payment"] as const) : (["prepare"] as const)),
  ]);
  return stages.filter((stage) => !left.has(stage));
}

/** The stage that comes when everything a proof is made from is on this device. */
export function stageAfterInputs({ prover }: Pick<Run, "prover">): Stage {
  return prover.kind === "browser" ? "prepare" : "price";
}

/** The circuit of a run's proof. */
export function circuitOf({ subject }: Pick<Run, "subject">): CircuitId {
  return subject.kind === "wallet" ? subject.circuit : "oidc_domain_attestation";
}

/** Whether everything a proof is made from is on this device. */
export function hasInputs({ subject }: Pick<Run, "subject">): boolean {
  return subject.kind === "domain"
    ? subject.token !== null
    : subject.holder !== null && subject.attestation !== null && subject.signature !== null;
}

/** A subject without what must not outlive the need for it. */
export function withoutSecrets(subject: Subject): Subject {
  return subject.kind === "domain"
    ? { ...subject, token: null }
    : { ...subject, attestation: null, signature: null };
}
