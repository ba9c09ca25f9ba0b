import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CEREMONY_CRS } from "@/lib/proofs/testing/crs";
import { withBb } from "./bb";
import { ProverError } from "./errors";
import { closeExecutor, executeCircuit } from "./execute";
import { ensureKeys } from "./keys";
import { createRunner, defaultProcesses, type Runner, type RunnerOptions, threadsPerProcess } from "./runner";
import { ensureSrs } from "./srs";
import { ownCache } from "./test/cache";
import { compileCircuit, word } from "./test/circuits";
import type { CircuitArtifact, CircuitKeys, Srs } from "./types";

ownCache();
let srs: Srs;
let circuit: { artifact: CircuitArtifact; keys: CircuitKeys };
let witness: Uint8Array;
const runners: Runner[] = [];

beforeAll(async () => {
  srs = await ensureSrs({ points: 32_768, path: CEREMONY_CRS });
  const artifact = await compileCircuit("medium");
  circuit = { artifact, keys: await ensureKeys({ artifact, srs }) };
  ({ witness } = await executeCircuit(artifact, { x: 3 }));
});
afterAll(async () => {
  await Promise.all([closeExecutor(), ...runners.map((runner) => runner.close())]);
});

function runnerWith(options: Partial<RunnerOptions> = {}): Runner {
  const runner = createRunner({ srs, circuits: [circuit], threads: 2, ...options });
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
async function signalAtWork(runner: Runner, signal: NodeJS.Signals, running = 1): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(runner.running).toBe(running);
  const [pid] = runner.pids;
  if (pid === undefined) throw new Error("no bb");
  process.kill(pid, signal);
}

describe("a runner", () => {
  test("proves one witness after the other on one bb, and refuses two at once", async () => {
    const runner = runnerWith();
    const job = prove(runner);
    expect(runner.running).toBe(1);
    await expect(prove(runner)).rejects.toThrow("more jobs at once than bb processes");
    const first = await job;
    expect(runner.running).toBe(0);
    const second = await prove(runner);
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
    const [pid] = runner.pids;
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
    expect(runner.pids).toEqual([pid]);
    expect(runner.restarts).toBe(0);
  });

  test("a bb that dies fails its job as worth a retry; the next job has a new one", async () => {
    const runner = runnerWith();
    await runner.warm();
    const [pid] = runner.pids;
    const job = outcome(prove(runner));
    await signalAtWork(runner, "SIGKILL");
    expect(await job).toMatchObject({ name: "ProverError", code: "crashed", retry: true });
    await prove(runner);
    expect(runner.pids).not.toContain(pid);
    expect(runner.restarts).toBe(1);
  });

  test("a bb that dies between jobs is replaced without anyone noticing", async () => {
    const runner = runnerWith();
    await runner.warm();
    const [pid] = runner.pids;
    if (pid) process.kill(pid, "SIGKILL");
    await expect.poll(() => runner.pids).toEqual([]);
    await prove(runner);
    expect(alive(pid)).toBe(false);
  });

  test("a bb that hangs is killed at the limit; the next job is proven", async () => {
    const timeoutMs = 60_000;
    const runner = runnerWith({ timeoutMs });
    await runner.warm();
    const [pid] = runner.pids;
    // Its limit passes at once.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stuck = outcome(prove(runner));
    try {
      while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
      process.kill(pid ?? expect.fail(), "SIGSTOP");
      vi.advanceTimersByTime(timeoutMs - 1);
      expect(runner.running).toBe(1);
      vi.advanceTimersByTime(1);
    } finally {
      vi.useRealTimers();
    }
    expect(await stuck).toMatchObject({ name: "ProverError", code: "timeout", retry: true });
    expect(alive(pid)).toBe(false);
    expect((await prove(runner)).publicInputs).toEqual([word(3)]);
  });
});

describe("several bb processes", () => {
  test("share the cores, one process for two of them", () => {
    expect([1, 2, 3, 4, 9].map((cores) => defaultProcesses(cores))).toEqual([1, 1, 1, 2, 4]);
    expect(threadsPerProcess(9, 4)).toEqual([3, 2, 2, 2]);
    expect(threadsPerProcess(1, 2)).toEqual([1, 1]);
  });

  test("work at the same time, and one that dies takes no other job with it", async () => {
    const runner = runnerWith({ processes: 2 });
    expect(runner.parallel).toBe(2);
    await runner.warm();
    const [first, second] = runner.pids;
    expect(alive(first) && alive(second) && first !== second).toBe(true);
    const jobs = [outcome(prove(runner)), outcome(prove(runner))];
    await signalAtWork(runner, "SIGKILL", 2);
    const ends = await Promise.all(jobs);
    expect(ends.filter((end) => end instanceof ProverError)).toMatchObject([{ code: "crashed" }]);
    expect(ends.filter((end) => !(end instanceof ProverError))).toHaveLength(1);
    expect(runner.pids).toContain(second);
    await Promise.all([prove(runner), prove(runner)]);
    expect([runner.pids.length, runner.restarts]).toEqual([2, 1]);
  });
});

describe.runIf(process.platform === "linux")("limits of a bb process, on Linux", () => {
  test("it dumps no core, and may take so much memory and no more", async () => {
    const runner = runnerWith({ memoryMb: 900 });
    await runner.warm();
    const limits = await readFile(`/proc/${runner.pids[0]}/limits`, "utf8");
    expect(limits).toMatch(/^Max core file size +0 +0 /m);
    expect(limits).toMatch(new RegExp(`^Max address space +${900 * 1024 * 1024} `, "m"));
  });

  test("one that needs more is killed, and the next job has a new one", async () => {
    const runner = runnerWith({ memoryMb: 100 });
    for (const restarts of [0, 1]) {
      // By its code only: what a proof that should not be is made of fills the screen. An allocation that fails in a
      // thread of bb ends it, in its main thread it is told.
      const error = await outcome(prove(runner));
      expect(error instanceof ProverError && error.retry && error.code).toMatch(/^(memory|crashed)$/);
      expect(runner.pids).toEqual([]);
      // Only a bb that had come up counts.
      expect(runner.restarts).toBe(restarts);
    }
  });
});

describe("a step of preparing", () => {
  test("is tried on a second bb when the first hangs, and given up when that hangs too", async () => {
    const seen: number[] = [];
    const options = { srsPath: srs.path, threads: 1 };
    const hang = () => new Promise<string>(() => {});
    const tried = withBb(options, () => (seen.push(1) === 1 ? hang() : Promise.resolve("made")), 300);
    expect(await tried).toBe("made");
    const error = await outcome(withBb(options, hang, 100));
    expect(error).toMatchObject({ name: "ProverError", code: "timeout" });
  });
});

describe("closing", () => {
  test("fails what runs, and leaves no process", async () => {
    const runner = runnerWith();
    await runner.warm();
    const [pid] = runner.pids;
    const job = outcome(prove(runner));
    await new Promise((resolve) => setTimeout(resolve, 30)); // it is under way
    await runner.close();
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
    expect(runner.pids).toEqual([]);
  });

  test("is at once when nothing was ever started", async () => {
    const runner = runnerWith();
    expect(runner.pids).toEqual([]);
    await runner.close();
  });
});
