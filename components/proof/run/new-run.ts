import { type ProverChoice, serverProver } from "../prover-choice";
import type { PayChoice, Purpose, Run, Subject, WalletStatement } from "./types";

/** What a run is for and where it lives. */
export interface RunPlace {
  readonly purpose: Purpose;
  readonly page: string;
  readonly next: string;
  /** Who makes the proof; the installation's prover unless something else was chosen. */
  readonly prover?: ProverChoice;
}

/** 192 random bits as text for addresses. */
export function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** A run at its very beginning. */
export function newRun(place: RunPlace, pay: PayChoice, subject: Subject, challenge: Run["challenge"]): Run {
  return {
    id: randomWord(),
    prover: serverProver,
    ...place,
    ...pay,
    offers: null,
    here: null,
    challenge,
    subject,
    stage: "identity",
    times: { identity: { start: Date.now() } },
    position: null,
    queueMs: null,
    expectedMs: null,
    payment: null,
    inputsNeeded: false,
    proof: null,
    problem: null,
    sealed: null,
  };
}

/** A run about a wallet's attestation, before anybody was asked anything. */
export function walletRun(
  place: RunPlace,
  statement: WalletStatement,
  holderId: string,
  pay: PayChoice,
): Run {
  const subject: Subject = {
    kind: "wallet",
    ...statement,
    holderId,
    holder: null,
    attestation: null,
    signature: null,
  };
  return newRun(place, pay, subject, null);
}
