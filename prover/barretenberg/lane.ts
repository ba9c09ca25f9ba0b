import { BBApiException } from "@aztec/bb.js";
import { type BbOptions, type BbProcess, startBb, within } from "./bb";
import { ProverError } from "./errors";

/**
 * One place where bb works: a process that is started when it is needed, killed when it hangs, grows too large or its
 * state is unknown, and replaced for the next job. One job at a time; the caller sees to that.
 */
export class Lane {
  #bb: BbProcess | undefined;
  #started = 0;

  constructor(
    readonly options: BbOptions & { timeoutMs: number },
    readonly closing: AbortSignal,
  ) {}

  /** process id of bb while one runs */
  get pid(): number | undefined {
    return this.#bb?.pid;
  }

  /** How often bb had to be replaced. */
  get restarts(): number {
    return Math.max(0, this.#started - 1);
  }

  /**
   * Runs work on bb within the time limit; afterwards bb is either healthy or gone.
   * @throws ProverError
   */
  async run<T>(work: (api: BbProcess["api"]) => Promise<T>): Promise<T> {
    if (this.closing.aborted) throw closed();
    const bb = this.#bb ?? (await this.#start());
    try {
      return await unlessClosed(this.closing, () => within(this.options.timeoutMs, work(bb.api)));
    } catch (error) {
      const failure = asProverError(error);
      // After a refusal bb is healthy; after anything else its state is unknown.
      if (failure.code !== "rejected") {
        this.#bb = undefined;
        await bb.kill();
      }
      throw failure;
    }
  }

  /** Ends bb and waits for it. */
  async close(): Promise<void> {
    await this.#bb?.kill();
    this.#bb = undefined;
  }

  async #start(): Promise<BbProcess> {
    const bb = await startBb(this.options);
    this.#bb = bb;
    this.#started += 1;
    void bb.ended.then(() => {
      if (this.#bb === bb) this.#bb = undefined;
    });
    return bb;
  }
}

function closed(): ProverError {
  return new ProverError("closed", "the prover is shutting down");
}

/** The work's outcome, or `closed` as soon as the signal is given. */
async function unlessClosed<T>(closing: AbortSignal, work: () => Promise<T>): Promise<T> {
  let onClose: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onClose = () => reject(closed());
    // Closed while bb started: the event has been.
    if (closing.aborted) onClose();
    closing.addEventListener("abort", onClose, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    closing.removeEventListener("abort", onClose);
  }
}

/** bb's refusals reach us as BBApiException. Their text stays here: it may quote what bb was given. */
function asProverError(error: unknown): ProverError {
  if (error instanceof ProverError) return error;
  const outOfMemory = error instanceof BBApiException && error.message.includes("bad_alloc");
  return outOfMemory
    ? new ProverError("memory", "bb came to its memory limit")
    : new ProverError("rejected", "bb refused the job");
}
