import { setTimeout as sleep } from "node:timers/promises";

/** A request that has its whole answer. */
interface Answered {
  /** As `performance.now()`. */
  readonly at: number;
  readonly ms: number;
}

/** Counts the requests of clients, as the proxy answers them. */
export class Meter {
  requests = 0;
  /** What failed: a status of 500 or more, a broken connection, or an answer that a client did not expect. */
  readonly failures: string[] = [];
  readonly answered: Answered[] = [];

  /** As `fetch`. An answer is read to its end, except for an event stream, which may break: its client resumes. */
  readonly fetch: typeof fetch = async (input, init) => {
    const started = performance.now();
    this.requests += 1;
    try {
      const response = await fetch(input, init);
      if (response.status >= 500) this.failures.push(`${nameOf(input, init)} got ${response.status}`);
      if (response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
      const body = await response.arrayBuffer();
      this.answered.push({ at: started, ms: performance.now() - started });
      const { status, headers } = response;
      return new Response(body.byteLength > 0 ? body : null, { status, headers });
    } catch (error) {
      if (!init?.signal?.aborted) this.failures.push(`${nameOf(input, init)}: ${reasonOf(error)}`);
      throw error;
    }
  };
}

function nameOf(input: string | URL | Request, init: RequestInit | undefined): string {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  return `${init?.method ?? "GET"} ${pathname}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** The loops of a load, which go on until it ends. */
export class Shift {
  #isOver = false;
  readonly #loops: Promise<void>[] = [];

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Repeats work, one at a time, with a pause after each. */
  repeat(pauseMs: number, work: () => Promise<void>): void {
    const loop = async () => {
      while (!this.#isOver) {
        await work();
        await sleep(pauseMs);
      }
    };
    const running = loop();
    // `end` throws it.
    running.catch(() => undefined);
    this.#loops.push(running);
  }

  /** Lets each loop finish what it does. @throws the first error of a loop */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }
}
