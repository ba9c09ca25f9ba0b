import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { bbBinary, bbEnvironment } from "./bb";
import { type CircuitInputs, executeCircuit } from "./execute";
import { ensureKeys } from "./keys";
import { requiredPoints } from "./points";
import { createRunner } from "./runner";
import { ensureSrs } from "./srs";
import type { CircuitArtifact, CircuitKeys, Srs } from "./types";

export interface BenchOptions {
  circuit: CircuitArtifact;
  /** test inputs only: the bb command reads the witness from a file */
  inputs: CircuitInputs;
  /** proofs of each kind; default 5 */
  rounds?: number;
}

export interface BenchRow {
  /** what was measured */
  name: string;
  value: number;
  unit: "ms" | "ratio" | "gates" | "KiB" | "count";
}

/** The bare `bb prove` command for one witness and a given key. */
export interface BareProver {
  /** Makes one proof; calls may overlap. @param threads cores it may use */
  prove(threads: number): Promise<void>;
  close(): Promise<void>;
}

/** Writes the files that the bb command reads. @param witness of test inputs only */
export async function bareProver({
  circuit,
  keys,
  srs,
  witness,
}: {
  circuit: CircuitArtifact;
  keys: CircuitKeys;
  srs: Srs;
  witness: Uint8Array;
}): Promise<BareProver> {
  const directory = await mkdtemp(path.join(tmpdir(), "parley-bench-"));
  const file = (name: string) => path.join(directory, name);
  await writeFile(file("circuit.json"), JSON.stringify(circuit));
  await writeFile(file("witness.gz"), witness);
  await writeFile(file("vk"), keys.vk);
  const given = ["-b", file("circuit.json"), "-w", file("witness.gz"), "-k", file("vk")];
  const bb = await bbBinary();
  let runs = 0;
  return {
    async prove(threads) {
      runs += 1;
      const args = ["prove", "-t", "evm", ...given, "-o", file(`out-${runs}`)];
      await promisify(execFile)(bb, args, { env: bbEnvironment(srs.path, threads) });
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

/**
 * Measures our proving, warm, and the bare `bb prove` command with the same witness and key. Rounds alternate, so that
 * other load on the machine affects both.
 * @returns medians, and ours divided by bb's
 */
export async function benchProve({ circuit, inputs, rounds = 5 }: BenchOptions): Promise<BenchRow[]> {
  const threads = availableParallelism();
  const srs = await ensureSrs({ points: await requiredPoints([circuit]) });
  const keys = await ensureKeys({ artifact: circuit, srs, threads });
  const { witness, durationMs } = await executeCircuit(circuit, inputs);
  const runner = createRunner({ srs, circuits: [{ artifact: circuit, keys }], threads });
  const bare = await bareProver({ circuit, keys, srs, witness });
  try {
    await runner.warm();
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await timed(() => runner.prove({ circuit: circuit.name, witness })));
      theirs.push(await timed(() => bare.prove(threads)));
    }
    return [
      { name: `${circuit.name}: witness`, value: durationMs, unit: "ms" },
      { name: `${circuit.name}: proof, warm, median of ${rounds}`, value: median(ours), unit: "ms" },
      { name: `${circuit.name}: bare bb prove, median of ${rounds}`, value: median(theirs), unit: "ms" },
      { name: `${circuit.name}: ours / bb`, value: median(ours) / median(theirs), unit: "ratio" },
    ];
  } finally {
    await runner.close();
    await bare.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Returns the median; of an even number of values, the mean of the middle two. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
