/**
 * `npm run circuits:gates [-- --json | --no-gadgets]`: counts the gates of every circuit and compares them with its budget
 * (circuits/budgets.json), then measures each gadget of the crates. Exits with 1 when a circuit is over budget. With
 * --json it prints only an array of {circuit, gates, budget, log2}.
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
  sourceSha256,
  withWorkspace,
} from "./builds";
import { measureGadgets } from "./gadgets";
import { ARTIFACTS_DIR, CIRCUITS_DIR } from "./paths";

const Budgets = z.record(z.string(), z.number().int().positive());

const Manifest = z.record(z.string(), z.object({ sourceSha256: z.string() }));

/**
 * Returns the committed artifact if it was compiled from these sources, otherwise compiles them.
 * circuits/test/compiled.circuits.test.ts compares the two.
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

async function countCircuits() {
  const budgets = Budgets.parse(JSON.parse(fs.readFileSync(path.join(CIRCUITS_DIR, "budgets.json"), "utf8")));
  const counts: { circuit: string; gates: number; budget: number; log2: number }[] = [];
  for (const which of circuitBuilds()) {
    const { circuit, build } = which;
    // Both builds have the same gates: only constants differ.
    if (build === "development") continue;
    const budget = budgets[circuit];
    if (budget === undefined) throw new Error(`circuits/budgets.json has no budget for ${circuit}.`);
    const gates = await countGates(await artifactOf(which));
    // `log2` is the exponent of the padded size.
    counts.push({ circuit, gates, budget, log2: Math.ceil(Math.log2(gates)) });
  }
  return counts;
}

const counts = await countCircuits();
if (process.argv.includes("--json")) {
  console.log(JSON.stringify(counts));
} else {
  for (const { circuit, gates, budget, log2 } of counts) {
    const share = gates > budget ? "OVER BUDGET" : `${((100 * gates) / budget).toFixed(1)} %`;
    console.log(`${circuit.padEnd(30)} ${gates} of ${budget} gates (2^${log2}) ${share}`);
  }
  if (!process.argv.includes("--no-gadgets")) {
    console.log("\nGates of each gadget, without its inputs, in a circuit that also hashes and verifies:");
    await measureGadgets((crate, gadget, gates) => {
      console.log(`${crate.padEnd(18)} ${gadget.padEnd(38)} ${String(gates).padStart(6)}`);
    });
  }
}
if (counts.some(({ gates, budget }) => gates > budget)) process.exitCode = 1;
