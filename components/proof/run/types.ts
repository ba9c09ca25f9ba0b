import type { Address, Hex } from "viem";
import type { ClientInput, contract, ProofType } from "@/lib/contract";
import type { Action } from "@/lib/proofs/attestation/action";
import type { FoundAttestation } from "@/lib/proofs/attestation/find";
import type { CircuitId, Provider } from "@/lib/proofs/deployment";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import type { ProvingProgress } from "../browser/driver";
import type { PetitionContract, PublicOffer } from "../config";
import { type ProverChoice, serverProver } from "../prover-choice";

/** Every stage in the order shown; `stagesOf` returns those of one run. */
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

/** A list of countries of which the holder lives in one, or in none. */
export interface CountryRule {
  /** 1 to 10 ISO 3166-1 alpha-2 codes. */
  readonly countries: readonly string[];
  readonly isIncluded: boolean;
}

/** The body that creates a gated topic, without its proof. */
export interface NewTopicBody
  extends Omit<ClientInput<typeof contract.topics.create>, "proof" | "publicInputs"> {
  readonly visibility: "public" | "private" | "secret";
  readonly proofType: Exclude<ProofType, "none">;
}

/** What the proof is for. */
export type Purpose =
  | { readonly kind: "sign-in" }
  | { readonly kind: "join"; readonly topicId: string; readonly title: string }
  | { readonly kind: "invite"; readonly code: string; readonly topicId: string; readonly title: string }
  | { readonly kind: "create"; readonly topic: NewTopicBody }
  /** Another device requested the proof and receives it. */
  | { readonly kind: "relay"; readonly requestId: string }
  /** The proof authorizes a signature under this statement; it goes to the contract, not to our server. */
  | { readonly kind: "petition"; readonly statement: string; readonly contract: PetitionContract };

/** Unix times in milliseconds. */
export type StageTimes = { readonly [S in Stage]?: { readonly start: number; readonly end?: number } };

interface RunPayment {
  readonly network: string;
  readonly amount: string;
  readonly payer: string;
  /** Set once it is on the chain. */
  readonly transaction?: string;
}

export interface RunProblem {
  readonly message: string;
  /** True when only a new run helps; false when this run can try again. */
  readonly final: boolean;
  /** Set when an attestation helps, besides trying again. */
  readonly help?: "attestation";
  /** Whether another prover may succeed where this browser failed. */
  readonly otherProver?: boolean;
}

export interface RunProof {
  readonly circuit: string;
  readonly proof: Hex;
  readonly publicInputs: readonly Hex[];
}

export interface Sealed {
  readonly needsNickname: boolean;
  readonly pending: boolean;
  readonly next: string;
}

/** A challenge from our server that the proof answers. */
export interface RunChallenge {
  readonly id: string;
  /** Part of what is signed: the provider's `nonce`, or in the wallet's message. */
  readonly nonce: string;
  /** Unix time in milliseconds. */
  readonly expiresAt: number;
}

/** A proof of an identity provider's signature. */
interface DomainSubject {
  readonly kind: "domain";
  /** OAuth `state`, which ties the provider's response to this tab. */
  readonly state: string;
  readonly provider: Provider;
  readonly issuer: string;
  /** The domain that the gate requires; null when it accepts any. */
  readonly requiredDomain: string | null;
  /** The provider's ID token; deleted once the proof exists. */
  readonly token: string | null;
  /** The domain that the proof discloses, once it exists. */
  readonly domain: string | null;
}

/** What a proof of a wallet's attestation states. */
export interface WalletStatement {
  readonly circuit: AttestedCircuit;
  /** Scope of the nullifier: one person's nullifiers differ between scopes. */
  readonly scope: string;
  /** For the country circuit, exactly the gate's list: the proof discloses no more than the gate requires. */
  readonly list: CountryRule | null;
  /** The action that the proof authorizes instead of answering a challenge; known once the account is. */
  readonly action: Action | null;
}

/** A proof of an attestation about a wallet. */
export interface WalletSubject extends WalletStatement {
  readonly kind: "wallet";
  /** Id of the wallet with the attestation. It pays only if the user chose it as the payer. */
  readonly holderId: string;
  readonly holder: Address | null;
  /** Kept only in this tab, until the proof exists. */
  readonly attestation: FoundAttestation | null;
  /** Over `signingRequest`; kept only in this tab, until the proof exists. */
  readonly signature: Hex | null;
}

export type Subject = DomainSubject | WalletSubject;

export interface PayChoice {
  /** "" before the user chooses. */
  readonly walletId: string;
  readonly network: string;
}

/** Progress of the proof: in this browser, in the prover's queue, or at the prover. */
type Work =
  | { readonly at: "browser"; readonly progress: ProvingProgress; readonly isKeyMade: boolean }
  /** Jobs ahead, and the expected time until the proof is ready; null when unknown. */
  | { readonly at: "queue"; readonly position: number | null; readonly expectedMs: number | null }
  | { readonly at: "prover"; readonly expectedMs: number | null };

const nothing = { work: null, proof: null, sealed: null } as const;

/** A run's stage and the data that depends on it. */
type AtStage =
  | (typeof nothing & { readonly stage: "identity" | "sign" | "price" })
  | { readonly stage: WorkStage; readonly work: Work | null; readonly proof: null; readonly sealed: null }
  /** The proof is null while the prover verifies it, and after the tab with the proof was closed. */
  | {
      readonly stage: "checking";
      readonly work: null;
      readonly proof: RunProof | null;
      readonly sealed: null;
    }
  /** Only a petition keeps its proof, for the contract. */
  | {
      readonly stage: "sealed";
      readonly work: null;
      readonly proof: RunProof | null;
      readonly sealed: Sealed;
    };

export const workStages = ["prepare", "payment", "witness", "proving"] as const satisfies readonly Stage[];
export type WorkStage = (typeof workStages)[number];

interface RunFacts extends PayChoice {
  /** Also the key of its payment in the paying client's store, so that a run never pays twice. */
  readonly id: string;
  readonly purpose: Purpose;
  /** Path of the page that shows the run. */
  readonly page: string;
  /** Path to continue at after the run. */
  readonly next: string;
  readonly prover: ProverChoice;
  /** Offers of the user's own prover, once it named them; the installation's offers are in `PublicConfig`. */
  readonly offers: readonly PublicOffer[] | null;
  /** Null for actions, and until a wallet's run needs one. */
  readonly challenge: RunChallenge | null;
  readonly subject: Subject;
  readonly times: StageTimes;
  /** A signed payment; it is removed only when it expired unused. */
  readonly payment: RunPayment | null;
  /** Whether a paid run needs its inputs again, so that the user has to sign in or sign again. */
  readonly inputsNeeded: boolean;
  readonly problem: RunProblem | null;
}

/** The making of one proof. This tab stores it, so that a reload or the redirect to the provider loses nothing. */
export type Run = RunFacts & AtStage;

export type WalletRun = Run & { readonly subject: WalletSubject };

/** Whether a run's proof is of a wallet's attestation. */
export function isWalletRun(run: Run): run is WalletRun {
  return run.subject.kind === "wallet";
}

export interface RunPlace {
  readonly purpose: Purpose;
  readonly page: string;
  readonly next: string;
  /** By default the installation's prover. */
  readonly prover?: ProverChoice;
}

/** Returns 192 random bits in base64url. */
export function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** Creates a run. */
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

/** Creates a run for a wallet's attestation. */
export function walletRun(place: RunPlace, statement: WalletStatement, holderId: string, pay: PayChoice) {
  const found = { holder: null, attestation: null, signature: null };
  return newRun(place, pay, { kind: "wallet", ...statement, holderId, ...found }, null);
}

/** Returns the stages of a run in order. Only wallets sign on this page, and only this browser needs preparation. */
export function stagesOf({ subject, prover }: Pick<Run, "subject" | "prover">): readonly Stage[] {
  const here = prover.kind === "browser";
  const left = new Set<Stage>([
    ...(subject.kind === "wallet" ? [] : (["sign"] as const)),
    ...(here ? (["price", "payment"] as const) : (["prepare"] as const)),
  ]);
  return stages.filter((stage) => !left.has(stage));
}

/** Returns the stage that follows once this device has all inputs. */
export function stageAfterInputs({ prover }: Pick<Run, "prover">): "prepare" | "price" {
  return prover.kind === "browser" ? "prepare" : "price";
}

/** Returns the circuit of a run's proof. */
export function circuitOf({ subject }: Pick<Run, "subject">): CircuitId {
  return subject.kind === "wallet" ? subject.circuit : "oidc_domain_attestation";
}

/** Whether this device has all inputs of the proof. */
export function hasInputs({ subject }: Pick<Run, "subject">): boolean {
  return subject.kind === "domain"
    ? subject.token !== null
    : subject.holder !== null && subject.attestation !== null && subject.signature !== null;
}

/** Returns a subject without its secrets, which must be deleted once they are no longer needed. */
export function withoutSecrets(subject: Subject): Subject {
  return subject.kind === "domain"
    ? { ...subject, token: null }
    : { ...subject, attestation: null, signature: null };
}
