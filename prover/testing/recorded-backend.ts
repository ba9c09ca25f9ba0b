import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type CircuitId, type Deployment } from "@/lib/proofs/deployment";
import { hex32Schema, hexSchema } from "@/lib/proofs/hex";
import { verifyOnChain } from "@/lib/proofs/verify";
import type { Backend } from "../backend";

const recordedSchema = z.object({ proof: hexSchema, publicInputs: z.array(hex32Schema) });

/**
 * A backend that hands out one real proof, made before, for the one request of a crash test: starting Barretenberg in
 * each of many processes would take longer than all they test. It solves no witness; the proof is checked on chain as
 * always.
 * @param onProve told of every proof that is asked for, and awaited
 */
export async function recordedBackend(
  deployment: Deployment,
  file: string,
  onProve: (circuit: CircuitId) => Promise<void>,
): Promise<Backend> {
  const recorded = recordedSchema.parse(JSON.parse(await readFile(file, "utf8")));
  return {
    parallel: 1,
    running: () => 0,
    restarts: () => 0,
    execute: async () => new Uint8Array(8),
    async prove(circuit) {
      await onProve(circuit);
      return recorded;
    },
    check: async (circuit, proof) => (await verifyOnChain(deployment, { circuit, ...proof })) === "valid",
    warm: async () => undefined,
    isWarm: () => true,
    close: async () => undefined,
  };
}
