import type { Provider } from "@/lib/proofs/deployment";

/** Stages of a proof in the order they are shown. */
export const stages = ["identity", "price", "payment", "witness", "proving", "checking", "sealed"] as const;
export type Stage = (typeof stages)[number];

/** The body of a topic's creation, as the form made it. */
export interface NewTopicBody {
  readonly title: string;
  readonly categoryId: string;
  readonly description?: string;
  readonly visibility: "public" | "private" | "secret";
  readonly proofType: "workspace" | "workspace_a" | "workspace_b";
  readonly requiredDomain?: string;
}

/** What the proof is wanted for. */
export type Purpose =
  | { readonly kind: "sign-in" }
  | { readonly kind: "join"; readonly topicId: string; readonly title: string }
  | { readonly kind: "invite"; readonly code: string; readonly topicId: string; readonly title: string }
  | { readonly kind: "create"; readonly topic: NewTopicBody };

export interface StageTime {
  readonly start: number;
  readonly end?: number;
}

export interface RunPayment {
  readonly network: string;
  readonly amount: string;
  readonly payer: string;
  /** Set once it is on chain. */
  readonly transaction?: string;
}

export interface RunProblem {
  readonly message: string;
  /** False when the same run can go on: resend, retry the check. True when only a new start helps. */
  readonly final: boolean;
}

/** The proof as our server takes it. */
export interface RunProof {
  readonly circuit: string;
  readonly proof: string;
  readonly publicInputs: readonly string[];
}

export interface Sealed {
  readonly needsNickname: boolean;
  /** The join waits for approval. */
  readonly pending: boolean;
  /** Where to go on. */
  readonly next: string;
}

/** A run as it is kept for this tab, so that a reload or the trip to the provider loses nothing. */
export interface Run {
  /** Also the job key of the payment store: one run never pays twice. */
  readonly id: string;
  /** OAuth state: ties the provider's answer to this tab. */
  readonly state: string;
  readonly purpose: Purpose;
  /** Page that shows the run. */
  readonly page: string;
  /** Where the user goes when it is done. */
  readonly next: string;
  readonly provider: Provider;
  readonly issuer: string;
  readonly walletId: string;
  readonly network: string;
  readonly challengeId: string;
  /** Goes into the provider's `nonce`; the token must carry it. */
  readonly nonce: string;
  /** Unix milliseconds after which the challenge is void. */
  readonly expiresAt: number;
  /** The provider's signed token; removed as soon as the proof is there. */
  readonly token: string | null;
  readonly stage: Stage;
  readonly times: Partial<Readonly<Record<Stage, StageTime>>>;
  /** Jobs ahead while queued. */
  readonly position: number | null;
  /** Expected milliseconds of proving, as the prover estimates. */
  readonly expectedMs: number | null;
  readonly payment: RunPayment | null;
  readonly proof: RunProof | null;
  /** The domain the gate asks for; null when any will do. */
  readonly requiredDomain: string | null;
  /** The domain the proof shows, once it is there. */
  readonly domain: string | null;
  readonly problem: RunProblem | null;
  readonly sealed: Sealed | null;
}

/** What a run may change while it goes on. */
export type RunPatch = Partial<
  Omit<Run, "id" | "state" | "purpose" | "page" | "challengeId" | "nonce" | "expiresAt">
>;
