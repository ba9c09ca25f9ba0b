import { createParser } from "eventsource-parser";
import { type Job, jobSchema } from "../wire";
import { BuyProofError } from "./errors";
import { type ProverConnection, readError, readJson, send } from "./http";

/** Interval of polling a job whose events cannot be streamed. */
const POLL_MS = 1000;
/** A stream without data for this long counts as dead; provers send a comment every few seconds. */
const SILENCE_MS = 45_000;
/** Failed polls in a row after which the prover counts as unreachable. */
const MAX_FAILURES = 10;

export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done() {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });

const finished = (job: Job) => job.status === "done" || job.status === "failed";

/**
 * Follows a job to its end through its event stream, and by polling when there is none or it breaks.
 * @returns the finished job: `done` with its result or `failed` with its error.
 * @throws ProverError (404 UNKNOWN_JOB after a restart), BuyProofError PROVER_UNREACHABLE.
 */
export async function followJob(
  connection: ProverConnection,
  jobToken: string,
  onJob: (job: Job) => void,
  pollMs = POLL_MS,
): Promise<Job> {
  const path = `/api/v1/jobs/${encodeURIComponent(jobToken)}`;
  let streaming = true;
  for (let failures = 0; ; ) {
    try {
      if (streaming) {
        const streamed = await streamJob(connection, `${path}/events`, onJob);
        if (streamed === "unsupported") streaming = false;
        else if (streamed) return streamed;
      }
      const job = await pollJob(connection, path);
      failures = 0;
      onJob(job);
      if (finished(job)) return job;
    } catch (error) {
      connection.signal?.throwIfAborted();
      if (!(error instanceof BuyProofError) || error.code !== "PROVER_UNREACHABLE") throw error;
      failures++;
      if (failures >= MAX_FAILURES) throw error;
    }
    await pause(pollMs, connection.signal);
  }
}

async function pollJob(connection: ProverConnection, path: string): Promise<Job> {
  const response = await send(connection, path, { headers: { accept: "application/json" } });
  // A proxy answers 502 to 504 while the prover restarts: treat it as a network failure.
  if (response.status >= 502 && response.status <= 504) {
    throw new BuyProofError("PROVER_UNREACHABLE", "the proof service is not answering");
  }
  if (!response.ok) throw await readError(response);
  const body = await readJson(response);
  if (body === null) throw new BuyProofError("PROVER_UNREACHABLE", "the proof service's answer broke off");
  const job = jobSchema.safeParse(body);
  if (!job.success) throw new BuyProofError("BAD_ANSWER", "the proof service's job is malformed");
  return job.data;
}

/** Reads events until the job ends. Returns "unsupported" without a stream, null if it broke before the end. */
async function streamJob(
  connection: ProverConnection,
  path: string,
  onJob: (job: Job) => void,
): Promise<Job | null | "unsupported"> {
  const silence = new AbortController();
  const signal = connection.signal ? AbortSignal.any([connection.signal, silence.signal]) : silence.signal;
  const response = await send(connection, path, { headers: { accept: "text/event-stream" }, signal });
  if (
    !response.ok ||
    !response.headers.get("content-type")?.includes("text/event-stream") ||
    !response.body
  ) {
    silence.abort();
    return "unsupported";
  }
  let last: Job | null = null;
  const parser = createParser({
    onEvent(event) {
      const job = parseEvent(event.data);
      if (!job) return;
      last = job;
      onJob(job);
    },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for (;;) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const { done, value } = await reader.read();
      if (done) return null;
      parser.feed(value);
      const job: Job | null = last;
      if (job && finished(job)) return job;
    }
  } catch {
    connection.signal?.throwIfAborted();
    return null;
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function parseEvent(data: string): Job | null {
  try {
    return jobSchema.parse(JSON.parse(data));
  } catch {
    // Ignore unknown events: the next poll decides.
    return null;
  }
}
