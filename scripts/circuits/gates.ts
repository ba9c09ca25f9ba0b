/**
 * `npm run circuits:gates [-- --json]`: gates of every circuit against its budget (circuits/budgets.json).
 * Exits 1 when one is over. JSON: an array of {circuit, gates, budget, log2} and nothing else.
 */
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { countGates } from "./bb";
import { compileCircuit } from "./compile";
import { CIRCUITS_DIR, circuitNames } from "./paths";

const Budgets = z.record(z.string(), z.number().int().positive());

/** A line of the report. `log2`: the power of two the circuit is padded to. */
interface GateCount {
  circuit: string;
  gates: number;
  budget: number;
  log2: number;
}

const budgets = Budgets.parse(JSON.parse(fs.readFileSync(path.join(CIRCUITS_DIR, "budgets.json"), "utf8")));
const counts: GateCount[] = [];
for (const circuit of circuitNames()) {
  const budget = budgets[circuit];
  if (budget === undefined) throw new Error(`circuits/budgets.json has no budget for ${circuit}.`);
  const gates = await countGates(await compileCircuit(CIRCUITS_DIR, circuit));
  counts.push({ circuit, gates, budget, log2: Math.ceil(Math.log2(gates)) });
}

if (process.argv.includes("--json")) {
  console.log(JSON.stringify(counts));
} else {
  for (const { circuit, gates, budget, log2 } of counts) {
    const verdict = gates > budget ? "OVER BUDGET" : `${((100 * gates) / budget).toFixed(1)} %`;
    console.log(`${circuit.padEnd(30)} ${gates} of ${budget} gates (2^${log2}) ${verdict}`);
  }
}
if (counts.some(({ gates, budget }) => gates > budget)) process.exitCode = 1;
