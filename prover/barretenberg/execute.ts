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
  /** Milliseconds for the witness, from when the thread starts on it. */
  timeoutMs?: number;
  /** Not paid for: runs after everything else, and is refused if `maxUnpaidWaiting` such witnesses wait. */
  unpaid?: boolean;
}

/** Unpaid witnesses that may wait. Each takes a few tenths of a second, so the last waits seconds, not minutes. */
export const maxUnpaidWaiting = 20;

interface Thread {
  worker: Worker;
  circuits: Map<string, number>;
  /** Resolves the current witness; undefined if there is none. */
  reply?: (reply: ExecuteReply | "ended") => void;
}

const priorities = { paid: 1, unpaid: 0 };
/** One witness at a time: the thread computes without a pause, so a second would only wait inside it. */
const queue = new PQueue({ concurrency: 1 });
let thread: Thread | undefined;
let nextId = 0;
/** Counts closings: witnesses that waited at one are not started. */
let closings = 0;

/**
 * Solves a circuit's witness in a worker thread, which is kept for the next call.
 * @throws WitnessError: `inputs` (with the parameter), `constraint` (with the assertion, if the circuit names it),
 *   `timeout` after `timeoutMs` (default a minute), `busy` if too much unpaid work waits, `internal`. Its fields contain
 *   no input values.
 */
export async function executeCircuit(
  artifact: CircuitArtifact,
  inputs: CircuitInputs,
  { timeoutMs = 60_000, unpaid = false }: ExecuteOptions = {},
): Promise<Execution> {
  const priority = unpaid ? priorities.unpaid : priorities.paid;
  if (unpaid && queue.sizeBy({ priority }) >= maxUnpaidWaiting) {
    throw new WitnessError("busy", `${artifact.name}: too many witnesses wait`);
  }
  const begunAt = closings;
  const solveUnlessClosed = async () => {
    if (begunAt !== closings) throw ended();
    return await solve(artifact, inputs, timeoutMs);
  };
  return await queue.add(solveUnlessClosed, { priority, throwOnTimeout: true }).catch((error: unknown) => {
    if (error instanceof WitnessError) error.message = `${artifact.name}: ${error.message}`;
    throw error;
  });
}

/** Ends the worker thread and fails pending calls; the next call starts a new one. An idle thread keeps no program alive. */
export async function closeExecutor(): Promise<void> {
  closings += 1;
  if (thread) await end(thread);
}

/** Solves one witness in the thread. */
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
    // Only ending the thread stops it. Waiting calls get a new one.
    await end(current);
    throw new WitnessError("timeout", "the witness was not solved in time");
  }
  if (!reply.ok) throw failure(reply);
  return { witness: reply.witness, durationMs: reply.durationMs };
}

/** Returns the number of a circuit in a thread, and sends its program once. */
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

/** Ends a thread, which gets no more work. */
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
