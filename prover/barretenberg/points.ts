import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { bytecodeSha256, circuitBytecode } from "./artifact";
import { bbVersion, EVM_SETTINGS, withBb } from "./bb";
import { cacheDirectory, writeDirectory } from "./cache";
import type { CircuitArtifact } from "./types";

/** However small the circuit, the zero-knowledge polynomials need this many points. */
export const MIN_POINTS = 512;

const Counted = z.object({ points: z.int().min(MIN_POINTS) });

/**
 * How many SRS points a set of circuits needs: 2^k, k the log size of the largest, and 512 at least. bb
 * insists on the full power of two for a key, and would download what is missing. Counting takes a second for a large
 * circuit and every start asks, so what was counted is cached, by circuit build and bb.
 */
export async function requiredPoints(artifacts: readonly CircuitArtifact[]): Promise<number> {
  const version = await bbVersion();
  const each: number[] = [];
  for (const artifact of artifacts) {
    const id = createHash("sha256").update(JSON.stringify([bytecodeSha256(artifact), version, EVM_SETTINGS]));
    const directory = path.join(cacheDirectory(), `points-${id.digest("hex").slice(0, 32)}`);
    each.push((await readCounted(directory)) ?? (await countAndKeep(artifact, directory)));
  }
  return Math.max(MIN_POINTS, ...each);
}

async function countAndKeep(artifact: CircuitArtifact, directory: string): Promise<number> {
  // Counting gates needs no points, so any directory will do.
  const options = { srsPath: cacheDirectory(), threads: 1 };
  const { numGatesDyadic } = await withBb(options, (api) =>
    api.circuitStats({
      circuit: {
        name: artifact.name,
        bytecode: circuitBytecode(artifact),
        verificationKey: new Uint8Array(),
      },
      includeGatesPerOpcode: false,
      settings: EVM_SETTINGS,
    }),
  );
  const points = Math.max(MIN_POINTS, numGatesDyadic);
  await writeDirectory(directory, { "points.json": JSON.stringify({ points }) });
  return points;
}

async function readCounted(directory: string): Promise<number | undefined> {
  try {
    return Counted.parse(JSON.parse(await readFile(path.join(directory, "points.json"), "utf8"))).points;
  } catch {
    await rm(directory, { recursive: true, force: true }); // absent or damaged: counted again
    return undefined;
  }
}
