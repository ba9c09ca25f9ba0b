import type { Worker } from "node:worker_threads";
import { bytecodeSha256 } from "./artifact";
import { WitnessError } from "./errors";
import { ExecuteReply, type ExecuteRequest } from "./execute-messages";
import type { CircuitArtifact } from "./types";
import { startWorker } from "./worker";

/** Inputs of a circuit by parameter name: numbers, hex or decimal strings, booleans, arrays and structs of these. */
export type CircuitInputs = Record<string, unknown>;

export interface Execution {
  /** gzipped witness stack, for `Runner.prove` */
  witness: Uint8Array;
  durationMs: number;
}

interface Thread {
  worker: Worker;
  circuits: Map<string, number>;
  waiting: Map<number, { resolve: (execution: Execution) => void; reject: (error: WitnessError) => void }>;
}

let thread: Thread | undefined;
let nextId = 0;

/**
 * Solves a circuit's witness for these inputs, in a worker thread that is kept for the next call.
 *
 * @throws WitnessError: `inputs` (which parameter), `constraint` (which assertion, if the circuit names it),
 * `timeout` after `timeoutMs` (default a minute), `internal`. None of its fields holds an input value.
 */
export async function executeCircuit(
  artifact: CircuitArtifact,
  inputs: CircuitInputs,
  { timeoutMs = 60_000 }: { timeoutMs?: number } = {},
): Promise<Execution> {
  const current = thread ?? startThread();
  const key = bytecodeSha256(artifact);
  let circuit = current.circuits.get(key);
  if (circuit === undefined) {
    circuit = current.circuits.size;
    current.circuits.set(key, circuit);
    const { abi, bytecode } = artifact;
    send(current, { circuit, program: JSON.stringify({ abi, bytecode }) });
  }

  const id = nextId++;
  const known = circuit;
  return new Promise<Execution>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new WitnessError("timeout", "the witness was not solved in time"));
      // It computes without a pause, so only ending the thread stops it; the others are told by its exit.
      void end(current);
    }, timeoutMs);
    const done = () => {
      clearTimeout(timer);
      current.waiting.delete(id);
      if (current.waiting.size === 0) current.worker.unref();
    };
    current.waiting.set(id, {
      resolve: (execution) => {
        done();
        resolve(execution);
      },
      reject: (error) => {
        done();
        reject(error);
      },
    });
    current.worker.ref();
    send(current, { circuit: known, id, inputs: JSON.stringify(inputs) });
  }).catch((error: unknown) => {
    if (error instanceof WitnessError) error.message = `${artifact.name}: ${error.message}`;
    throw error;
  });
}

/** Ends the worker thread; the next execution starts a new one. Idle, it does not keep a program alive. */
export async function closeExecutor(): Promise<void> {
  if (thread) await end(thread);
}

/** Ends a thread; from now on nobody is given to it. */
async function end(ending: Thread): Promise<void> {
  if (thread === ending) thread = undefined;
  await ending.worker.terminate();
}

function send(to: Thread, request: ExecuteRequest): void {
  to.worker.postMessage(request);
}

function startThread(): Thread {
  const worker = startWorker(new URL("./execute-worker.ts", import.meta.url));
  const started: Thread = { worker, circuits: new Map(), waiting: new Map() };
  worker.unref();
  worker.on("message", (message: unknown) => {
    const reply = ExecuteReply.parse(message);
    const caller = started.waiting.get(reply.id);
    if (reply.ok) caller?.resolve({ witness: reply.witness, durationMs: reply.durationMs });
    else caller?.reject(failure(reply));
  });
  worker.on("error", () => {}); // "exit" follows and tells everybody
  worker.once("exit", () => {
    if (thread === started) thread = undefined;
    for (const { reject } of started.waiting.values()) {
      reject(new WitnessError("internal", "the witness thread ended"));
    }
  });
  thread = started;
  return started;
}

function failure({ reason, parameter, assertion }: ExecuteReply & { ok: false }): WitnessError {
  const text = {
    inputs: `the value of \`${parameter}\` does not fit the circuit`,
    constraint: assertion ? `assertion failed: ${assertion}` : "a constraint cannot be satisfied",
    internal: "the witness thread failed",
  };
  return new WitnessError(reason, text[reason], parameter, assertion);
}
