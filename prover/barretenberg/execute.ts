import type { Worker } from "node:worker_threads";
import PQueue from "p-queue";
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

export interface ExecuteOptions {
  /** Milliseconds the witness may take, from the moment the thread turns to it. */
  timeoutMs?: number;
  /** Nobody has paid for it: everything else goes first, and it is refused when `maxUnpaidWaiting` of its kind wait. */
  unpaid?: boolean;
}

/** Unpaid witnesses that may wait. Each takes a few tenths of a second, so the last waits for seconds, not minutes. */
export const maxUnpaidWaiting = 20;

interface Thread {
  worker: Worker;
  circuits: Map<string, number>;
  /** Ends the wait for the witness under way; undefined when there is none. */
  reply?: (reply: ExecuteReply | "ended") => void;
}

const priorities = { paid: 1, unpaid: 0 };
/** One witness at a time: the thread computes without a pause, so a second one would only wait inside it. */
const line = new PQueue({ concurrency: 1 });
let thread: Thread | undefined;
let nextId = 0;
/** Counts closings: what was waiting at one of them is not begun any more. */
let closings = 0;

/**
 * Solves a circuit's witness for these inputs, in a worker thread that is kept for the next call.
 *
 * @throws WitnessError: `inputs` (which parameter), `constraint` (which assertion, if the circuit names it),
 * `timeout` after `timeoutMs` (default a minute), `busy` when too much unpaid work waits, `internal`. None of its fields
 * holds an input value.
 */
export async function executeCircuit(
  artifact: CircuitArtifact,
  inputs: CircuitInputs,
  { timeoutMs = 60_000, unpaid = false }: ExecuteOptions = {},
): Promise<Execution> {
  const priority = unpaid ? priorities.unpaid : priorities.paid;
  if (unpaid && line.sizeBy({ priority }) >= maxUnpaidWaiting) {
    throw new WitnessError("busy", `${artifact.name}: too many witnesses wait`);
  }
  const begunAt = closings;
  const solveUnlessClosed = async () => {
    if (begunAt !== closings) throw ended();
    return await solve(artifact, inputs, timeoutMs);
  };
  return await line.add(solveUnlessClosed, { priority, throwOnTimeout: true }).catch((error: unknown) => {
    if (error instanceof WitnessError) error.message = `${artifact.name}: ${error.message}`;
    throw error;
  });
}

/**
 * Ends the worker thread and fails whoever waits for it; the next execution starts a new one. Idle, it does not keep a
 * program alive.
 */
export async function closeExecutor(): Promise<void> {
  closings += 1;
  if (thread) await end(thread);
}

/** The caller's turn has come. */
async function solve(
  artifact: CircuitArtifact,
  inputs: CircuitInputs,
  timeoutMs: number,
): Promise<Execution> {
  const current = thread ?? startThread();
  const circuit = circuitOf(current, artifact);
  const id = nextId++;
  current.worker.ref();
  let timer: NodeJS.Timeout | undefined;
  const reply = await new Promise<ExecuteReply | "ended" | "late">((resolve) => {
    timer = setTimeout(() => resolve("late"), timeoutMs);
    current.reply = resolve;
    send(current, { circuit, id, inputs: JSON.stringify(inputs) });
  });
  clearTimeout(timer);
  current.reply = undefined;
  current.worker.unref();
  if (reply === "ended") throw ended();
  if (reply === "late") {
    // Only ending the thread stops it. Those who wait get a new one.
    await end(current);
    throw new WitnessError("timeout", "the witness was not solved in time");
  }
  if (!reply.ok) throw failure(reply);
  return { witness: reply.witness, durationMs: reply.durationMs };
}

/** The number of a circuit in a thread, which is given its program once. */
function circuitOf(current: Thread, artifact: CircuitArtifact): number {
  const key = bytecodeSha256(artifact);
  const known = current.circuits.get(key);
  if (known !== undefined) return known;
  const circuit = current.circuits.size;
  current.circuits.set(key, circuit);
  const { abi, bytecode } = artifact;
  send(current, { circuit, program: JSON.stringify({ abi, bytecode }) });
  return circuit;
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
  const worker = startWorker("execute-worker");
  const started: Thread = { worker, circuits: new Map() };
  worker.unref();
  worker.on("message", (message: unknown) => started.reply?.(ExecuteReply.parse(message)));
  worker.on("error", () => {}); // "exit" follows and tells the caller
  worker.once("exit", () => {
    if (thread === started) thread = undefined;
    started.reply?.("ended");
  });
  thread = started;
  return started;
}

function ended(): WitnessError {
  return new WitnessError("internal", "the witness thread ended");
}

function failure({ reason, parameter, assertion }: ExecuteReply & { ok: false }): WitnessError {
  const text = {
    inputs: `the value of \`${parameter}\` does not fit the circuit`,
    constraint: assertion ? `assertion failed: ${assertion}` : "a constraint cannot be satisfied",
    internal: "the witness thread failed",
  };
  return new WitnessError(reason, text[reason], parameter, assertion);
}
