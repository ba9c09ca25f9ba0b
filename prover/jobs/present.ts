import { concatHex } from "viem";
import { z } from "zod";
import { chainOf, circuitIdSchema, type Deployment } from "@/lib/proofs/deployment";
import {
  type JobPayment,
  type Job as JobView,
  jobSchema,
  type ProveResult,
  proverErrorCodes,
} from "@/lib/proofs/wire";
import { jobError, ProverRefusal, refusalStatuses, refusals } from "../refusal";
import {
  type Found,
  type PaymentRow,
  type PaymentStore,
  type StoredProof,
  storedProof,
} from "../store/payments";
import type { Finished } from "./job";
import { jobPayment } from "./run";

/** A refusal as it is stored for readers at other processes. */
const refusalSchema = z.object({
  status: z.literal(refusalStatuses),
  code: z.enum(proverErrorCodes),
  message: z.string(),
  reason: z.string().optional(),
  field: z.string().optional(),
  retryAfter: z.number().optional(),
});

const progressSchema = z.discriminatedUnion("kind", [
  /** A running job's view, and when its step started (milliseconds since 1970). */
  z.object({ kind: z.literal("running"), view: jobSchema, since: z.number() }),
  z.object({ kind: z.literal("failed"), refusal: refusalSchema }),
]);
type Progress = z.infer<typeof progressSchema>;

/** Returns a running job as its row stores it. */
export function runningProgress(view: JobView, since: number): string {
  const { elapsedMs: _, ...kept } = view;
  return JSON.stringify({ kind: "running", view: kept, since } satisfies Progress);
}

/** Returns a failed run as its row stores it. */
export function failedProgress(refusal: ProverRefusal): string {
  const { status, code, message, details } = refusal;
  const stored = { status, code, message, ...details };
  return JSON.stringify({ kind: "failed", refusal: stored } satisfies Progress);
}

/** Returns the progress that a row stores. */
function readProgress(text: string | null): { view: JobView } | { refusal: ProverRefusal } | undefined {
  if (text === null) return undefined;
  const progress = progressSchema.parse(JSON.parse(text));
  if (progress.kind === "failed") {
    const { status, code, message, ...details } = progress.refusal;
    return { refusal: new ProverRefusal(status, code, message, details) };
  }
  const { view, since } = progress;
  return { view: view.status === "proving" ? { ...view, elapsedMs: Math.max(0, Date.now() - since) } : view };
}

/** Shows stored payments to clients. */
export class Presenter {
  constructor(
    readonly deployment: Pick<Deployment, "verifiers" | "chains">,
    readonly payments: PaymentStore,
    /** Returns the milliseconds until a waiting proof would be done. */
    readonly expectedMs: (circuit: string, ahead: number) => number,
  ) {}

  /**
   * Returns the 200 body for a proven payment.
   * @param jobToken reads its job; the row has only its hash
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

  /** @throws ProverRefusal 409 when the proof was deleted after a day, Error when the payment is not proven */
  delivered(row: PaymentRow, jobToken: string): { result: ProveResult; payment: JobPayment } {
    const stored = storedProof(row);
    if (row.state === "proven" && !stored) throw refusals.removed();
    if (!stored) throw new Error("this payment has no proof");
    return { result: this.result(row, stored, jobToken), payment: jobPayment(row) };
  }

  /** Returns a job in progress, from its row. */
  async running(row: PaymentRow): Promise<JobView> {
    if (row.queued_at) {
      const position = await this.payments.ahead(row);
      const expectedMs = this.expectedMs(row.circuit, position);
      return { status: "queued", position, expectedMs, payment: jobPayment(row) };
    }
    const progress = readProgress(row.progress);
    return progress && "view" in progress ? progress.view : { status: "settling" };
  }

  /** Returns how the job of an unowned payment ended; undefined when its process died without recording an end. */
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

  /** Returns a job that this process does not know, from its row, to a client with its token. */
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

/** Explains a job whose process died. */
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
