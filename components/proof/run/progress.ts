import type { ProofProgress } from "@/lib/proofs/client";
import { decodeOidcPublicInputs } from "@/lib/proofs/layouts/oidc";
import type { ProvingProgress } from "../browser/messages";
import type { EngineParts } from "./parts";
import { atStage } from "./storage";
import { type Run, type RunPatch, type RunProof, withoutSecrets } from "./types";

/** Keeps a proof that is there, and drops what it was made from. */
export function keepResult({ read, patch }: Pick<EngineParts, "read" | "patch">, proof: RunProof): void {
  const { circuit, publicInputs } = proof;
  const subject = withoutSecrets(read().subject);
  patch({
    proof: { circuit, proof: proof.proof, publicInputs },
    here: null,
    inputsNeeded: false,
    subject:
      subject.kind === "domain"
        ? { ...subject, domain: decodeOidcPublicInputs([...publicInputs]).domain }
        : subject,
  });
}

/** What an event of a proof that is made here changes in the run. */
export function herePatch(run: Run, progress: ProvingProgress, now: number): RunPatch {
  const stage = {
    loading: "prepare",
    points: "prepare",
    witness: "witness",
    key: "proving",
    proving: "proving",
  } as const;
  const keyMade = progress.stage === "key" ? { keyMade: true } : {};
  return { here: progress, ...keyMade, ...atStage(run, stage[progress.stage], now) };
}

/** What an event of the paying client changes in the run. */
export function progressPatch(run: Run, event: ProofProgress, now: number): RunPatch {
  switch (event.stage) {
    case "payment":
      return {
        ...atStage(run, "payment", now),
        payment: { network: event.network, amount: event.amount, payer: event.payer },
      };
    case "settled":
      return {
        payment: {
          network: event.network,
          amount: event.amount,
          payer: event.payer,
          transaction: event.transaction,
        },
        ...atStage(run, "witness", now),
      };
    case "queued":
      return { position: event.position, queueMs: event.expectedMs };
    case "witness":
      // The prover runs the witness before it settles; the payment stage ends when the money has moved.
      return run.payment?.transaction
        ? { position: null, ...atStage(run, "witness", now) }
        : { position: null };
    case "proving":
      return { position: null, expectedMs: event.expectedMs, ...atStage(run, "proving", now) };
    case "checking":
    case "done":
      return { position: null, ...atStage(run, "checking", now) };
    case "price":
    case "settling":
    case "retrying":
      return {};
  }
}
