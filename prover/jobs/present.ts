import { concatHex } from "viem";
import { chainOf, circuitIdSchema, type Deployment } from "@/lib/proofs/deployment";
import type { JobPayment, Job as JobView, ProveResult } from "@/lib/proofs/wire";
import { jobError, refusals } from "../refusal";
import { type PaymentRow, type StoredProof, storedProof } from "../store/payments";
import { jobPayment } from "./run";

/** Turns stored payments into what clients see. */
export class Presenter {
  constructor(readonly deployment: Deployment) {}

  /** The 200 body for a proven payment. */
  result(row: PaymentRow, { proof, publicInputs, timing }: StoredProof): ProveResult {
    const circuit = circuitIdSchema.parse(row.circuit);
    const verifier = this.deployment.verifiers[circuit];
    if (!verifier) throw new Error(`no verifier for ${circuit} any more`);
    return {
      circuit,
      proof,
      publicInputs,
      proofWithInputs: concatHex([...publicInputs, proof]),
      verification: {
        chainId: verifier.chainId,
        verifierAddress: verifier.address,
        rpcUrl: chainOf(this.deployment, verifier.chainId).publicRpcUrl,
      },
      timing,
      attestation: null,
      jobToken: row.job_token,
    };
  }

  /** @throws Error when the payment is not proven */
  delivered(row: PaymentRow): { result: ProveResult; payment: JobPayment } {
    const stored = storedProof(row);
    if (!stored) throw new Error("this payment has no proof");
    return { result: this.result(row, stored), payment: jobPayment(row) };
  }

  /** A job that no process works on any more, told from its row. */
  stored(row: PaymentRow): JobView {
    switch (row.state) {
      case "proven":
        return { status: "done", ...this.delivered(row) };
      case "settled":
        return { status: "failed", error: jobError(refusals.interrupted()), payment: jobPayment(row) };
      case "credited":
        return { status: "failed", error: jobError(refusals.proveFailed(true)), payment: jobPayment(row) };
      case "accepted":
      case "settling":
        return { status: "failed", error: jobError(refusals.unconfirmed()) };
      case "void":
        return {
          status: "failed",
          error: jobError(
            refusals.paymentInvalid("expired", "the authorization expired; nothing was charged"),
          ),
        };
    }
  }
}
