import fs from "node:fs";
import path from "node:path";
import { type CompiledCircuit, type ForeignCallHandler, Noir } from "@noir-lang/noir_js";
import { type CircuitArtifact } from "@/scripts/circuits/compile";
import { ARTIFACTS_DIR } from "@/scripts/circuits/paths";
import { toInputs, type Witness } from "./witness";

/** Runs a witness through a circuit: "accepted", or why it was refused. */
export type Run = (witness: Witness, oracles?: ForeignCallHandler) => Promise<string>;

/** A circuit that can be executed; no proof is made. */
export function runnable(artifact: Pick<CircuitArtifact, "abi" | "bytecode">): Run {
  const compiled: CompiledCircuit = { ...artifact, debug_symbols: "", file_map: {} };
  const noir = new Noir(compiled);
  return async (witness, oracles) => {
    try {
      await noir.execute(toInputs(witness), oracles);
      return "accepted";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

/** The committed circuit. `npm run circuits:build -- --check` proves that it is what the sources compile to. */
export function committedCircuit(name: string): Run {
  return runnable(JSON.parse(fs.readFileSync(path.join(ARTIFACTS_DIR, `${name}.json`), "utf8")));
}
