import { type Hex, isAddressEqual } from "viem";
import type { ActionLine } from "../attestation/action-lines";
import { checkMembership } from "../attestation/country";
import { type AttestationDeployment, findAttestation } from "../attestation/find";
import type { ProveResult } from "../wire";
import {
  type AttestedStatement,
  attestedWireInputs,
  expectedPublicInputs,
  type SigningRequest,
  signingRequest,
} from "./attested-statement";
import { type BuyProofRequest, buyProof, resumeProof } from "./buy";
import { BuyProofError, ProverError } from "./errors";
import type { ProofProgress } from "./progress";
import type { AttestationWallet, PayingWallet } from "./wallets";

export {
  type AttestedStatement,
  attestedWireInputs,
  expectedPublicInputs,
  type SigningRequest,
  signingRequest,
} from "./attested-statement";

export { type AttestationWallet, attestationWallet } from "./wallets";

export type AttestedProgress =
  /** Looking the attestation up. */
  | { stage: "finding" }
  /** Seconds it was made at. */
  | { stage: "found"; time: number }
  /** The attestation wallet is asked. */
  | { stage: "signing"; request: SigningRequest }
  | ProofProgress;

export type ProveAttestedRequest = AttestedStatement &
  Omit<BuyProofRequest, "inputs" | "wallet" | "onProgress" | "expectedPublicInputs"> & {
    deployment: AttestationDeployment;
    attestationWallet: AttestationWallet;
    /** Another wallet than the one with the attestation. */
    paymentWallet: PayingWallet;
    /** Shows an action in full and asks; without it an action is not signed. */
    confirmAction?: (lines: ActionLine[]) => Promise<boolean>;
    onProgress?: (event: AttestedProgress) => void;
    /** As of `findAttestation`; default "browser". */
    side?: "browser" | "server";
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
 * Finds the attestation, has the wallet sign, buys the proof and checks that it says what was asked. A job that was paid
 * before continues without asking the wallet again, as long as the prover remembers it; otherwise the wallet signs
 * again, and one that signs the same message differently each time ends in JOB_KEY_REUSED.
 * @throws AttestedProofError, ProofInputError, TrustUnavailableError, whatever the wallets throw when signing is
 * declined, and as `buyProof`.
 */
export async function proveAttested(request: ProveAttestedRequest): Promise<ProveResult> {
  const { deployment, attestationWallet, paymentWallet, confirmAction: _, side, ...rest } = request;
  const { circuit, scope, list, nonce, action, ...purchase } = rest;
  const user = attestationWallet.address;
  if (isAddressEqual(paymentWallet.address, user)) {
    throw new AttestedProofError(
      "PAYMENT_WALLET_NOT_SEPARATE",
      "the wallet with the attestation must not pay: the payment would show everybody whose proof this is",
    );
  }
  const statement = { circuit, scope, list, nonce, action, user };
  const expected = expectedPublicInputs({ ...statement, deployment });
  const shared = { ...purchase, circuit, expectedPublicInputs: expected };

  const resumed = await resumePaid(shared);
  if (resumed) return resumed;

  request.onProgress?.({ stage: "finding" });
  const { fetch, signal } = purchase;
  const attestation = await findAttestation({ deployment, circuit, recipient: user, side, fetch, signal });
  request.onProgress?.({ stage: "found", time: attestation.time });
  // Before the wallet is asked for a signature that could prove nothing.
  if (list) checkMembership(attestation.country, list);
  const signature = await sign(request, signingRequest(statement));
  const { wire } = await attestedWireInputs({ ...statement, deployment, attestation, signature });
  return buyProof({ ...shared, inputs: wire, wallet: paymentWallet });
}

/** The proof of a job that was paid before; null when there is none, or the prover needs the inputs once more. */
async function resumePaid(request: Parameters<typeof resumeProof>[0]): Promise<ProveResult | null> {
  if (!(await request.store.get(request.jobKey))) return null;
  try {
    return await resumeProof(request);
  } catch (error) {
    if (error instanceof BuyProofError && error.code === "INPUTS_NEEDED") return null;
    if (error instanceof ProverError && error.code === "PROVE_FAILED") return null;
    throw error;
  }
}

async function sign(request: ProveAttestedRequest, wanted: SigningRequest): Promise<Hex> {
  const { attestationWallet, confirmAction, onProgress } = request;
  if (wanted.kind === "action" && !(await confirmAction?.(wanted.lines))) {
    throw new AttestedProofError(
      "ACTION_NOT_CONFIRMED",
      "the action was not confirmed, so it was not signed",
    );
  }
  onProgress?.({ stage: "signing", request: wanted });
  return wanted.kind === "action"
    ? attestationWallet.signTypedData(wanted.action)
    : attestationWallet.signMessage({ message: { raw: wanted.raw } });
}
