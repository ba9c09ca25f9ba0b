import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { z } from "zod";

/** A request of a load. */
export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Index of its header lines in `Load.headers`; without it, it has none of them. */
  readonly headers?: number;
  /** Sent as JSON. */
  readonly body?: string;
}

/** Requests for one server, sent over connections that stay open: each sends its next when it has the response. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly requests: readonly LoadRequest[];
  /** Header lines by index, such as the credentials of a member, each as `name: value`. */
  readonly headers: readonly (readonly string[])[];
  /** Status that each response must have. */
  readonly status: number;
  /** Whether each request is sent at most once; the load ends early when all are sent. */
  readonly once: boolean;
}

const measuredSchema = z.object({
  responses: z.int(),
  /** Responses per second. */
  rate: z.number(),
  p50: z.number(),
  p99: z.number(),
  /** Bytes of an average response, with its head. */
  bytes: z.number(),
  /** Requests that were sent; the next load may continue there. */
  sent: z.int(),
});
export type Measured = z.infer<typeof measuredSchema>;

const answerSchema = z.union([z.object({ measured: measuredSchema }), z.object({ failure: z.string() })]);

/** The load generator: a process of its own, so that it takes no time from those it measures. */
export class LoadGenerator {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor() {
    this.#child = fork(path.join(import.meta.dirname, "load-main.ts"), { execArgv: ["--import", "tsx"] });
    this.#ended = once(this.#child, "exit");
  }

  /** Runs a load. @throws Error when a response has another status, or a connection ends */
  async run(load: Load): Promise<Measured> {
    const ended = this.#ended.then(() => {
      throw new Error("the load generator ended");
    });
    const answered = once(this.#child, "message");
    this.#child.send(load);
    const [message] = await Promise.race([answered, ended]);
    const answer = answerSchema.parse(message);
    if ("failure" in answer) throw new Error(answer.failure);
    return answer.measured;
  }

  close(): void {
    this.#child.disconnect();
  }
}
