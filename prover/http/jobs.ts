import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { Hex } from "viem";
import { hex32Schema } from "@/lib/proofs/hex";
import type { Job as JobView } from "@/lib/proofs/wire";
import type { Job } from "../jobs/job";
import type { Jobs } from "../jobs/jobs";
import type { Presenter } from "../jobs/present";
import { ProverRefusal } from "../refusal";
import { paymentEnd, type Seller } from "../seller/seller";
import type { PaymentStore } from "../store/payments";

export interface JobDependencies {
  jobs: Jobs;
  payments: PaymentStore;
  presenter: Presenter;
  seller: Pick<Seller, "statement">;
  /** Aborts when the program closes: a client follows its job at another process. */
  closing: AbortSignal;
}

const heartbeatMs = 15_000;
/** How often the row of another process's job is read. */
const lookMs = 500;

/** GET /api/v1/jobs/{token} */
export function jobHandler(deps: JobDependencies) {
  return async (c: Context): Promise<Response> => {
    const token = c.req.param("token") ?? "";
    const { paymentId, view } = await findJob(deps, token);
    return c.json(await given(deps, paymentId, token, view), 200, { "cache-control": "no-store" });
  };
}

/**
 * GET /api/v1/jobs/{token}/events: the job as it is now, then every change, until it is done or failed, or the program
 * closes.
 */
export function jobEventsHandler(deps: JobDependencies) {
  return async (c: Context): Promise<Response> => {
    const token = c.req.param("token") ?? "";
    const { paymentId, view, job } = await findJob(deps, token);
    c.header("cache-control", "no-cache, no-transform");
    c.header("x-accel-buffering", "no");
    return streamSSE(c, async (stream) => {
      const waiting: JobView[] = [view];
      let wake: () => void = () => undefined;
      const push = (next: JobView) => {
        waiting.push(next);
        wake();
      };
      let isGone = false;
      const end = () => {
        isGone = true;
        wake();
      };
      const stop = job ? job.listen(push) : watch(deps, token, view, { tell: push, end });
      stream.onAbort(() => wake());
      deps.closing.addEventListener("abort", end);
      try {
        while (!stream.aborted) {
          if (deps.closing.aborted) return;
          for (let told = waiting.shift(); told; told = waiting.shift()) {
            const next = await given(deps, paymentId, token, told);
            await stream.writeSSE({ event: next.status, data: JSON.stringify(next) });
            if (next.status === "done" || next.status === "failed") return;
          }
          if (isGone) return;
          const beat = await new Promise<boolean>((resolve) => {
            const timer = setTimeout(() => resolve(true), heartbeatMs);
            wake = () => {
              clearTimeout(timer);
              resolve(false);
            };
            // A change may have come between the last check and this promise.
            if (waiting.length > 0 || stream.aborted || isGone) wake();
          });
          // Keeps proxies from closing a silent stream while bb works.
          if (beat) await stream.write(": still here\n\n");
        }
      } finally {
        stop();
        deps.closing.removeEventListener("abort", end);
      }
    });
  };
}

/**
 * Reports changes of a job that another process works on, and its end when the token no longer opens it because a resend
 * got a new one.
 * @returns a function that stops it
 */
function watch(
  deps: JobDependencies,
  token: string,
  first: JobView,
  { tell, end }: { tell(view: JobView): void; end(): void },
): () => void {
  let told = shown(first);
  let looking = false;
  const look = async () => {
    const { view } = await findJob(deps, token);
    if (shown(view) === told) return;
    told = shown(view);
    tell(view);
  };
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look()
      .catch((error: unknown) => {
        // If the database is away for a moment, the next look asks again.
        if (error instanceof ProverRefusal) end();
      })
      .finally(() => {
        looking = false;
      });
  }, lookMs);
  return () => clearInterval(timer);
}

const shown = (view: JobView) => JSON.stringify({ ...view, elapsedMs: 0 });

/** Returns what the client may see, with what the prover signs about it. */
async function given(deps: JobDependencies, paymentId: Hex, token: string, view: JobView): Promise<JobView> {
  const kept = await keptView(deps, paymentId, token, view);
  const { status, payment, error } = kept;
  return { ...kept, ...(await deps.seller.statement(payment, paymentEnd(status, error?.reason))) };
}

/** A proof is shown only while it is kept; one that was removed is owed instead. */
async function keptView(
  deps: JobDependencies,
  paymentId: Hex,
  token: string,
  view: JobView,
): Promise<JobView> {
  if (!view.result || (await deps.payments.markDelivered(paymentId))) return view;
  const found = await deps.payments.find(paymentId);
  if (!found) throw unknownJob();
  return await deps.presenter.stored(found, token);
}

/** Finds a job by its token, live if it is this process's. @throws ProverRefusal 404 UNKNOWN_JOB */
export async function findJob(
  deps: JobDependencies,
  token: string,
): Promise<{ paymentId: Hex; view: JobView; job?: Job }> {
  const job = deps.jobs.find(token);
  if (job) return { paymentId: job.paymentId, view: job.view(), job };
  const found = await deps.payments.findByToken(token);
  if (!found) throw unknownJob();
  return { paymentId: hex32Schema.parse(found.row.id), view: await deps.presenter.stored(found, token) };
}

const unknownJob = () => new ProverRefusal(404, "UNKNOWN_JOB", "no job with this token");
