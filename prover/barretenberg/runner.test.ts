import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ProverError } from "./errors";
import { closeExecutor, executeCircuit } from "./execute";
import { ensureKeys } from "./keys";
import { createRunner, type Runner } from "./runner";
import { ensureSrs } from "./srs";
import { ownCache, TEST_CRS } from "./test/cache";
import { compileCircuit, word } from "./test/circuits";
import type { CircuitArtifact, CircuitKeys, Srs } from "./types";

ownCache();
let srs: Srs;
let circuit: { artifact: CircuitArtifact; keys: CircuitKeys };
let witness: Uint8Array;
const runners: Runner[] = [];

beforeAll(async () => {
  srs = await ensureSrs({ points: 32_768, path: TEST_CRS });
  const artifact = await compileCircuit("medium");
  circuit = { artifact, keys: await ensureKeys({ artifact, srs }) };
  ({ witness } = await executeCircuit(artifact, { x: 3 }));
});
afterAll(async () => {
  await Promise.all([closeExecutor(), ...runners.map((runner) => runner.close())]);
});

function runnerWith(timeoutMs?: number): Runner {
  const runner = createRunner({ srs, circuits: [circuit], threads: 2, timeoutMs });
  runners.push(runner);
  return runner;
}

const prove = (runner: Runner) => runner.prove({ circuit: "medium", witness });
const outcome = (work: Promise<unknown>) => work.catch((error: unknown) => error);

function alive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Signals bb once the job it has is under way. */
async function signalAtWork(runner: Runner, signal: NodeJS.Signals): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(runner.pending).toBe(1);
  if (runner.pid === undefined) throw new Error("no bb");
  process.kill(runner.pid, signal);
}

describe("a runner", () => {
  test("proves requests in order on one bb, and counts those that wait", async () => {
    const runner = runnerWith();
    const order: number[] = [];
    const jobs = [0, 1, 2].map(async (i) => {
      const proof = await prove(runner);
      order.push(i);
      return proof;
    });
    expect(runner.pending).toBe(3);
    const [first, second] = await Promise.all(jobs);
    expect(order).toEqual([0, 1, 2]);
    expect(runner.pending).toBe(0);
    expect(first?.publicInputs).toEqual([word(3)]);
    expect(first?.proof.length).toBe(second?.proof.length);
    // Zero knowledge: no two proofs of one witness are alike.
    expect(Buffer.from(first?.proof ?? []).equals(Buffer.from(second?.proof ?? []))).toBe(false);
  });

  test("leaves the caller's witness as it was, so that a failed job can be tried again", async () => {
    const before = Buffer.from(witness);
    await prove(runnerWith());
    expect(Buffer.from(witness).equals(before)).toBe(true);
  });

  test("refuses an unknown circuit and what is no witness, for good, and works on with the same bb", async () => {
    const runner = runnerWith();
    await runner.warm();
    const { pid } = runner;
    expect(await outcome(runner.prove({ circuit: "other", witness }))).toMatchObject({
      code: "unknown-circuit",
      retry: false,
    });
    for (const bad of [new Uint8Array([1, 2, 3]), gzipSync("not a witness")]) {
      const error = await outcome(runner.prove({ circuit: "medium", witness: bad }));
      expect(error).toBeInstanceOf(ProverError);
      expect(error).toMatchObject({ code: "rejected", retry: false });
    }
    await prove(runner);
    expect(runner.pid).toBe(pid);
  });

  test("a bb that dies fails its job as worth a retry; the next job has a new one", async () => {
    const runner = runnerWith();
    await runner.warm();
    const { pid } = runner;
    const job = outcome(prove(runner));
    await signalAtWork(runner, "SIGKILL");
    expect(await job).toMatchObject({ name: "ProverError", code: "crashed", retry: true });
    await prove(runner);
    expect(runner.pid).not.toBe(pid);
  });

  test("a bb that dies between jobs is replaced without anyone noticing", async () => {
    const runner = runnerWith();
    await runner.warm();
    const { pid } = runner;
    if (pid) process.kill(pid, "SIGKILL");
    await expect.poll(() => runner.pid).toBeUndefined();
    await prove(runner);
    expect(alive(pid)).toBe(false);
  });

  test("a bb that hangs is killed at the limit; the job behind it is proven", async () => {
    const runner = runnerWith(15_000);
    await runner.warm();
    const { pid } = runner;
    const stuck = outcome(prove(runner));
    await signalAtWork(runner, "SIGSTOP");
    const behind = prove(runner);
    expect(await stuck).toMatchObject({ name: "ProverError", code: "timeout", retry: true });
    expect(alive(pid)).toBe(false);
    expect((await behind).publicInputs).toEqual([word(3)]);
  });
});

describe("closing", () => {
  test("fails what runs and what waits, and leaves no process", async () => {
    const runner = runnerWith();
    await runner.warm();
    const { pid } = runner;
    const jobs = [outcome(prove(runner)), outcome(prove(runner))];
    await new Promise((resolve) => setTimeout(resolve, 30)); // the first is under way
    await runner.close();
    for (const job of jobs)
      expect(await job).toMatchObject({ name: "ProverError", code: "closed", retry: false });
    expect(alive(pid)).toBe(false);
    expect(await outcome(prove(runner))).toMatchObject({ code: "closed" });
    await runner.close();
  });

  test("does not wait for a job whose bb is only starting", async () => {
    const runner = runnerWith();
    const job = outcome(prove(runner));
    await new Promise((resolve) => setTimeout(resolve, 1));
    const started = performance.now();
    await runner.close();
    expect(await job).toMatchObject({ code: "closed" });
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(runner.pid).toBeUndefined();
  });

  test("is at once when nothing was ever started", async () => {
    const runner = runnerWith();
    expect(runner.pid).toBeUndefined();
    await runner.close();
  });
});
