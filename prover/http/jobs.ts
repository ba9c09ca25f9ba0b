import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { Job as JobView } from "@/lib/proofs/wire";
import type { Job } from "../jobs/job";
import type { Jobs } from "../jobs/jobs";
import type { Presenter } from "../jobs/present";
import { Refusal } from "../refusal";
import type { Payments } from "../store/payments";

export interface JobDependencies {
  jobs: Jobs;
  payments: Payments;
  presenter: Presenter;
}

const heartbeatMs = 15_000;

/** GET /api/v1/jobs/{token} */
export function jobHandler(deps: JobDependencies) {
  return async (c: Context): Promise<Response> => {
    const { view } = await find(deps, c.req.param("token"));
    return c.json(view, 200, { "cache-control": "no-store" });
  };
}

/**
 * GET /api/v1/jobs/{token}/events: the job as it is now, then every change, until it is done or failed.
 */
export function jobEventsHandler(deps: JobDependencies) {
  return async (c: Context): Promise<Response> => {
    const { view, job } = await find(deps, c.req.param("token"));
    c.header("cache-control", "no-cache, no-transform");
    c.header("x-accel-buffering", "no");
    return streamSSE(c, async (stream) => {
      const waiting: JobView[] = [view];
      let wake: () => void = () => undefined;
      const stop = job?.listen((next) => {
        waiting.push(next);
        wake();
      });
      stream.onAbort(() => wake());
      try {
        while (!stream.aborted) {
          for (let next = waiting.shift(); next; next = waiting.shift()) {
            await stream.writeSSE({ event: next.status, data: JSON.stringify(next) });
            if (next.status === "done" || next.status === "failed") return;
          }
          const beat = await new Promise<boolean>((resolve) => {
            const timer = setTimeout(() => resolve(true), heartbeatMs);
            wake = () => {
              clearTimeout(timer);
              resolve(false);
            };
            // Something may have come between the last look and this promise.
            if (waiting.length > 0 || stream.aborted) wake();
          });
          // Keeps proxies from closing a stream that has nothing to say while bb works.
          if (beat) await stream.write(": still here\n\n");
        }
      } finally {
        stop?.();
      }
    });
  };
}

async function find(deps: JobDependencies, token: string | undefined): Promise<{ view: JobView; job?: Job }> {
  const job = deps.jobs.find(token ?? "");
  if (job) return { view: job.view(), job };
  const row = await deps.payments.findByToken(token ?? "");
  if (!row) throw new Refusal(404, "UNKNOWN_JOB", "no job with this token");
  return { view: deps.presenter.stored(row) };
}
