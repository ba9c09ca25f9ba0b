import type { Address, Hex } from "viem";
import type { Action, ActionLine } from "../attestation/action";
import type { AttestationDeployment, FoundAttestation } from "../attestation/find";
import type { CountryWireInputs, EligibilityWireInputs } from "../attestation/wire";
import type { Deployment } from "../deployment";
import type { AttestedCircuit } from "../trust/attesters";
import type { ProveResult } from "../wire";
import type { OfferRules, PayingWallet } from "./payment";
import type { ProofProgress } from "./progress";
import type { PaymentStore } from "./stores";

/** What a wallet circuit is asked to prove. */
export type AttestedStatement = {
  circuit: AttestedCircuit;
  /** Application scope string. */
  scope: string;
  /** Country circuit, required: 1 to 10 ISO 3166-1 alpha-2 codes, and whether the country is among them. */
  list?: { countries: readonly string[]; isIncluded: boolean };
  /** Eligibility circuits in identity mode, required: nonce of the community's challenge. */
  nonce?: string;
  /** Eligibility circuits: the action to authorise, instead of a nonce. */
  action?: Action;
};

/** What the wallet has to sign. */
export type SigningRequest =
  /** personal_sign over the 32 bytes. */
  | { kind: "message"; signalHash: Hex; raw: Hex }
  /** eth_signTypedData_v4 of the action, after `lines` were shown in full. */
  | { kind: "action"; action: Action; lines: ActionLine[] };

/** What the wallet `user` signs for a statement. @throws ProofInputError when the statement is not one. */
export function signingRequest(_statement: AttestedStatement & { user: Address }): SigningRequest {
  throw new Error("not built yet");
}

/**
 * The wire inputs of a proof, checked as the prover will check them, and the words the proof must have.
 * @throws ProofInputError
 */
export async function attestedWireInputs(
  _request: AttestedStatement & {
    deployment: Pick<Deployment, "mode">;
    attestation: Pick<FoundAttestation, "rawTransaction">;
    user: Address;
    /** Over `signingRequest`, 65 bytes. */
    signature: Hex;
  },
): Promise<{ wire: CountryWireInputs | EligibilityWireInputs; expectedPublicInputs: Hex[] }> {
  throw new Error("not built yet");
}

/** The wallet that holds the attestation: a viem account, or wagmi's signMessage and signTypedData. It never pays. */
export type AttestationWallet = {
  address: Address;
  signMessage(request: { message: { raw: Hex } }): Promise<Hex>;
  signTypedData(action: Action): Promise<Hex>;
};

export type AttestedProgress =
  /** Looking the attestation up. */
  | { stage: "finding" }
  /** Seconds it was made at. */
  | { stage: "found"; time: number }
  /** The attestation wallet is asked. */
  | { stage: "signing"; request: SigningRequest }
  | ProofProgress;

export type ProveAttestedRequest = AttestedStatement &
  Partial<OfferRules> & {
    deployment: AttestationDeployment;
    /** Base URL without trailing slash. */
    proverUrl: string;
    attestationWallet: AttestationWallet;
    /** Another wallet than the one with the attestation. */
    paymentWallet: PayingWallet;
    /** Shows an action in full and asks; without it an action is not signed. */
    confirmAction?: (lines: ActionLine[]) => Promise<boolean>;
    onProgress?: (event: AttestedProgress) => void;
    store: PaymentStore;
    /** The caller's name for this one wanted proof. One key never pays twice. */
    jobKey: string;
    signal?: AbortSignal;
    /** Milliseconds over all retries of the purchase. */
    timeoutMs?: number;
    fetch?: typeof fetch;
  };

export type AttestedCode =
  /** The paying wallet is the one with the attestation: paying with it would tell everybody whose proof this is. */
  | "PAYMENT_WALLET_NOT_SEPARATE"
  /** The person did not confirm the action, or nobody was there to ask. Nothing was signed. */
  | "ACTION_NOT_CONFIRMED";

/** This client's refusal before anything was signed. */
export class AttestedProofError extends Error {
  override readonly name = "AttestedProofError";
  constructor(
    readonly code: AttestedCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Finds the attestation, has the wallet sign, buys the proof and checks that it says what was asked.
 * @throws AttestedProofError, ProofInputError, TrustUnavailableError, whatever the wallets throw when signing is
 * declined, and as `buyProof`.
 */
export async function proveAttested(_request: ProveAttestedRequest): Promise<ProveResult> {
  throw new Error("not built yet");
}
