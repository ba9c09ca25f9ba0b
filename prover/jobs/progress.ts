import { z } from "zod";
import { type Job as JobView, jobSchema, proverErrorCodes } from "@/lib/proofs/wire";
import { ProverRefusal, refusalStatuses } from "../refusal";

/** A refusal as it is written down for readers at other processes. */
const refusalSchema = z.object({
  status: z.literal(refusalStatuses),
  code: z.enum(proverErrorCodes),
  message: z.string(),
  reason: z.string().optional(),
  field: z.string().optional(),
  retryAfter: z.number().optional(),
});

const progressSchema = z.discriminatedUnion("kind", [
  /** A running job's view, and when (milliseconds since 1970) its step began. */
  z.object({ kind: z.literal("running"), view: jobSchema, since: z.number() }),
  z.object({ kind: z.literal("failed"), refusal: refusalSchema }),
]);
type Progress = z.infer<typeof progressSchema>;

/** A running job as its row holds it. */
export function runningProgress(view: JobView, since: number): string {
  const { elapsedMs: _, ...kept } = view;
  return JSON.stringify({ kind: "running", view: kept, since } satisfies Progress);
}

/** A failed run as its row holds it. */
export function failedProgress(refusal: ProverRefusal): string {
  const { status, code, message, details } = refusal;
  return JSON.stringify({
    kind: "failed",
    refusal: { status, code, message, ...details },
  } satisfies Progress);
}

/** What a row tells of its job; undefined when nothing. */
export function readProgress(
  text: string | null,
): { view: JobView } | { refusal: ProverRefusal } | undefined {
  if (text === null) return undefined;
  const progress = progressSchema.parse(JSON.parse(text));
  if (progress.kind === "failed") {
    const { status, code, message, ...details } = progress.refusal;
    return { refusal: new ProverRefusal(status, code, message, details) };
  }
  const { view, since } = progress;
  return { view: view.status === "proving" ? { ...view, elapsedMs: Math.max(0, Date.now() - since) } : view };
}
