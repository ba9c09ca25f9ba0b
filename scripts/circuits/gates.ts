/**
 * `npm run circuits:gates [-- --json | --no-gadgets]`: gates of every circuit against its budget
 * (circuits/budgets.json), then what each gadget of the crates costs. Exits 1 when a circuit is over.
 * JSON: an array of {circuit, gates, budget, log2} and nothing else.
 */
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { countGates } from "./bb";
import {
  artifactName,
  type BuiltCircuit,
  type CircuitBuild,
  circuitBuilds,
  committedArtifact,
  compileBuild,
  withWorkspace,
} from "./builds";
import { measureGadgets } from "./gadget-gates";
import { ARTIFACTS_DIR, CIRCUITS_DIR } from "./paths";
import { sourceSha256 } from "./sources";

const Budgets = z.record(z.string(), z.number().int().positive());

/** A line of the report. `log2`: the power of two the circuit is padded to. */
interface GateCount {
  circuit: string;
  gates: number;
  budget: number;
  log2: number;
}

const Manifest = z.record(z.string(), z.object({ sourceSha256: z.string() }));

/**
 * The committed artifact, where it was compiled from these sources: circuits/test/compiled.circuits.test.ts compiles them and compares.
 * Else what they compile to.
 */
async function artifactOf(which: CircuitBuild): Promise<BuiltCircuit> {
  const { circuit, build } = which;
  const manifest = Manifest.parse(
    JSON.parse(fs.readFileSync(path.join(ARTIFACTS_DIR, "manifest.json"), "utf8")),
  );
  if (manifest[artifactName(circuit, build)]?.sourceSha256 === sourceSha256(CIRCUITS_DIR, circuit))
    return committedArtifact(circuit, build);
  return withWorkspace(build, (root) => compileBuild(root, which));
}

async function countCircuits(): Promise<GateCount[]> {
  const budgets = Budgets.parse(JSON.parse(fs.readFileSync(path.join(CIRCUITS_DIR, "budgets.json"), "utf8")));
  const counts: GateCount[] = [];
  for (const which of circuitBuilds()) {
    const { circuit, build } = which;
    // Both builds are the same gates: they differ in constants.
    if (build === "development") continue;
    const budget = budgets[circuit];
    if (budget === undefined) throw new Error(`circuits/budgets.json has no budget for ${circuit}.`);
    const gates = await countGates(await artifactOf(which));
    counts.push({ circuit, gates, budget, log2: Math.ceil(Math.log2(gates)) });
  }
  return counts;
}

const counts = await countCircuits();
if (process.argv.includes("--json")) {
  console.log(JSON.stringify(counts));
} else {
  for (const { circuit, gates, budget, log2 } of counts) {
    const verdict = gates > budget ? "OVER BUDGET" : `${((100 * gates) / budget).toFixed(1)} %`;
    console.log(`${circuit.padEnd(30)} ${gates} of ${budget} gates (2^${log2}) ${verdict}`);
  }
  if (!process.argv.includes("--no-gadgets")) {
    console.log("\nGates of a gadget, without its inputs, in a circuit that hashes and verifies anyway:");
    await measureGadgets(({ crate, gadget, gates }) => {
      console.log(`${crate.padEnd(18)} ${gadget.padEnd(38)} ${String(gates).padStart(6)}`);
    });
  }
}
if (counts.some(({ gates, budget }) => gates > budget)) process.exitCode = 1;
