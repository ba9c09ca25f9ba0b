import type { Address, Hex } from "viem";
import type { Action } from "@/lib/proofs/attestation/action";
import type { FoundAttestation } from "@/lib/proofs/attestation/find";
import type { CircuitId, Provider } from "@/lib/proofs/deployment";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import type { ProvingProgress } from "../browser/driver";
import type { PetitionContract, PublicOffer } from "../config";
import { type ProverChoice, serverProver } from "../prover-choice";

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

interface StageTime {
  readonly start: number;
  readonly end?: number;
}
export type StageTimes = Partial<Readonly<Record<Stage, StageTime>>>;

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

/** How far the proof is while it is made: in this browser, in the prover's queue, or at the prover. */
type Work =
  | { readonly at: "browser"; readonly progress: ProvingProgress; readonly isKeyMade: boolean }
  /** Jobs ahead, and milliseconds until the proof is there, where known. */
  | { readonly at: "queue"; readonly position: number | null; readonly expectedMs: number | null }
  | { readonly at: "prover"; readonly expectedMs: number | null };

const nothing = { work: null, proof: null, sealed: null } as const;

/** A run's stage and what it has in that stage. */
type AtStage =
  | (typeof nothing & { readonly stage: "identity" | "sign" | "price" })
  | { readonly stage: WorkStage; readonly work: Work | null; readonly proof: null; readonly sealed: null }
  /** The proof is null while the prover checks it, and after a reload that kept none. */
  | {
      readonly stage: "checking";
      readonly work: null;
      readonly proof: RunProof | null;
      readonly sealed: null;
    }
  /** Only a petition still needs its proof, for the contract. */
  | {
      readonly stage: "sealed";
      readonly work: null;
      readonly proof: RunProof | null;
      readonly sealed: Sealed;
    };

export const workStages = ["prepare", "payment", "witness", "proving"] as const satisfies readonly Stage[];
export type WorkStage = (typeof workStages)[number];

/** What a run has in every stage. */
interface RunFacts extends PayChoice {
  /** Also the job key of the payment store: one run never pays twice. */
  readonly id: string;
  readonly purpose: Purpose;
  /** Page that shows the run. */
  readonly page: string;
  /** Where the user goes when it is done. */
  readonly next: string;
  /** Who makes the proof. */
  readonly prover: ProverChoice;
  /** What an own prover charges, once asked; the installation's offers are in its configuration. */
  readonly offers: readonly PublicOffer[] | null;
  /** Null where nothing waits for an answer: actions, and wallets that have not signed yet. */
  readonly challenge: RunChallenge | null;
  readonly subject: Subject;
  readonly times: StageTimes;
  /** Once signed, it is dropped only when it has expired unused. */
  readonly payment: RunPayment | null;
  /** It has paid, and the prover needs its inputs again: the person signs in or signs again. */
  readonly inputsNeeded: boolean;
  /** What stopped the run in its stage. After a final one only a new run helps. */
  readonly problem: RunProblem | null;
}

/** A run. This tab keeps it, so that a reload or the trip to the provider loses nothing. */
export type Run = RunFacts & AtStage;

/** A run about a wallet's attestation. */
export type WalletRun = Run & { readonly subject: WalletSubject };

export function isWalletRun(run: Run): run is WalletRun {
  return run.subject.kind === "wallet";
}

/** What a run is for and where it lives. */
export interface RunPlace {
  readonly purpose: Purpose;
  readonly page: string;
  readonly next: string;
  /** Who makes the proof; the installation's prover unless the member chose another. */
  readonly prover?: ProverChoice;
}

/** 192 random bits as text for URLs. */
export function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** A new run. */
export function newRun(
  { prover = serverProver, ...place }: RunPlace,
  pay: PayChoice,
  subject: Subject,
  challenge: Run["challenge"],
): Run & typeof nothing {
  return {
    id: randomWord(),
    ...{ ...place, prover, ...pay, challenge, subject },
    ...{ offers: null, payment: null, inputsNeeded: false, problem: null },
    ...{ ...nothing, stage: "identity", times: { identity: { start: Date.now() } } },
  };
}

/** A new run about a wallet's attestation. */
export function walletRun(place: RunPlace, statement: WalletStatement, holderId: string, pay: PayChoice) {
  const found = { holder: null, attestation: null, signature: null };
  return newRun(place, pay, { kind: "wallet", ...statement, holderId, ...found }, null);
}

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
export function stageAfterInputs({ prover }: Pick<Run, "prover">): "prepare" | "price" {
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
