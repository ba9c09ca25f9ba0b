import { concatHex } from "viem";
import { chainOf, circuitIdSchema, type Deployment } from "@/lib/proofs/deployment";
import type { JobPayment, Job as JobView, ProveResult } from "@/lib/proofs/wire";
import { jobError, refusals } from "../refusal";
import {
  type Found,
  type PaymentRow,
  type PaymentStore,
  type StoredProof,
  storedProof,
} from "../store/payments";
import type { Finished } from "./job";
import { readProgress } from "./progress";
import { jobPayment } from "./run";

/** Turns stored payments into what clients see. */
export class Presenter {
  constructor(
    readonly deployment: Pick<Deployment, "verifiers" | "chains">,
    readonly payments: PaymentStore,
    /** Milliseconds until a proof that waits would be done. */
    readonly expectedMs: (circuit: string, ahead: number) => number,
  ) {}

  /**
   * The 200 body for a proven payment.
   * @param jobToken with which its job is read: a row has only its hash
   */
  result(row: PaymentRow, { proof, publicInputs, timing }: StoredProof, jobToken: string): ProveResult {
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
      jobToken,
    };
  }

  /** @throws ProverRefusal 409 when the proof was removed after its day, Error when the payment is not proven */
  delivered(row: PaymentRow, jobToken: string): { result: ProveResult; payment: JobPayment } {
    const stored = storedProof(row);
    if (row.state === "proven" && !stored) throw refusals.removed();
    if (!stored) throw new Error("this payment has no proof");
    return { result: this.result(row, stored, jobToken), payment: jobPayment(row) };
  }

  /** A job that a process works on, told from its row. */
  async running(row: PaymentRow): Promise<JobView> {
    if (row.queued_at) {
      const position = await this.payments.ahead(row);
      const expectedMs = this.expectedMs(row.circuit, position);
      return { status: "queued", position, expectedMs, payment: jobPayment(row) };
    }
    const progress = readProgress(row.progress);
    return progress && "view" in progress ? progress.view : { status: "settling" };
  }

  /** How the job of a payment nobody works on ended; undefined when its process died before it told. */
  ended(row: PaymentRow, jobToken: string): Finished | undefined {
    if (row.state === "proven") {
      return storedProof(row)
        ? { status: "done", ...this.delivered(row, jobToken) }
        : { status: "failed", refusal: refusals.removed(), payment: jobPayment(row) };
    }
    const progress = readProgress(row.progress);
    if (!progress || !("refusal" in progress)) return undefined;
    const paid = row.state === "settled" || row.state === "credited";
    return { status: "failed", refusal: progress.refusal, ...(paid ? { payment: jobPayment(row) } : {}) };
  }

  /** A job that this process does not know, told from its row to whoever showed its token. */
  async stored({ row, owned }: Found, jobToken: string): Promise<JobView> {
    if (owned) return await this.running(row);
    const end = this.ended(row, jobToken) ?? {
      status: "failed" as const,
      refusal: unfinished(row),
      payment: undefined,
    };
    if (end.status === "done") return end;
    return { status: "failed", error: jobError(end.refusal), payment: end.payment };
  }
}

/** What is said of a job whose process died. */
function unfinished(row: PaymentRow) {
  switch (row.state) {
    case "credited":
      return refusals.proveFailed(true);
    case "accepted":
    case "settling":
      return refusals.unconfirmed();
    case "void":
      return refusals.paymentInvalid("expired", "the authorization expired; nothing was charged");
    default:
      return refusals.interrupted();
  }
}
