import { createHash } from "node:crypto";
import type { Barretenberg } from "@aztec/bb.js";
import { z } from "zod";
import { cacheFolder } from "@/lib/settings/general";
import { bytecodeSha256, circuitBytecode } from "./artifact";
import { bbVersion, EVM_SETTINGS, withBb } from "./bb";
import { cachedJson } from "./cache";
import type { CircuitArtifact } from "./types";

/** What the zero-knowledge polynomials need, however small the circuit. */
const MIN_POINTS = 512;

const Counted = z.object({ points: z.int().min(MIN_POINTS) });

/**
 * Returns how many SRS points a set of circuits needs: 2^k, k the log size of the largest, and at least 512. bb requires
 * the full power of two for a key, and would download missing points. Counting takes a second for a large circuit, so
 * counts are cached by circuit build and bb.
 */
export async function requiredPoints(artifacts: readonly CircuitArtifact[]): Promise<number> {
  const version = await bbVersion();
  const each: number[] = [];
  for (const artifact of artifacts) {
    const id = createHash("sha256").update(JSON.stringify([bytecodeSha256(artifact), version, EVM_SETTINGS]));
    const name = `points-${id.digest("hex").slice(0, 32)}`;
    // Counting gates needs no points, so any directory will do.
    const bb = { srsPath: cacheFolder(), threads: 1 };
    const make = async () => ({ points: await withBb(bb, (api) => countPoints(api, artifact)) });
    each.push((await cachedJson(name, Counted, make)).points);
  }
  return Math.max(MIN_POINTS, ...each);
}

/** Returns how many points one circuit needs, without the cache. */
export async function countPoints(api: Barretenberg, artifact: CircuitArtifact): Promise<number> {
  const { name } = artifact;
  const { numGatesDyadic } = await api.circuitStats({
    circuit: { name, bytecode: circuitBytecode(artifact), verificationKey: new Uint8Array() },
    includeGatesPerOpcode: false,
    settings: EVM_SETTINGS,
  });
  return Math.max(MIN_POINTS, numGatesDyadic);
}
