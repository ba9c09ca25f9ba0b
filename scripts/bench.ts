import { parseArgs } from "node:util";
import { type CircuitId, circuitIds } from "@/lib/proofs/deployment";
import { artifactFile, type BenchRow, benchProve, loadArtifact } from "@/prover/barretenberg";
import { honestInputs } from "./circuits/honest-inputs";

/**
 * `npm run bench -- prove [--circuit id] [--rounds 5] [--json]`: our warm prover beside the bare `bb prove` command
 * with the key given, for every circuit, on the same witness: of a real identity token, and of attestations signed
 * with test keys. Exit status 1 when ours takes over 15 % longer (design/assurance.md).
 */
const MAX_RATIO = 1.15;

function format({ name, value, unit }: BenchRow): string {
  const shown = unit === "ratio" ? value.toFixed(3) : `${Math.round(value).toLocaleString("en")} ${unit}`;
  return `${name.padEnd(64)} ${shown.padStart(12)}`;
}

/** Which build of a circuit the development stack proves with. */
async function benchCircuit(id: CircuitId, rounds: number): Promise<BenchRow[]> {
  const circuit = await loadArtifact(artifactFile(id, "development"));
  const inputs = await honestInputs(id, "development");
  return benchProve({ circuit, inputs, rounds });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    circuit: { type: "string" },
    rounds: { type: "string", default: "5" },
    json: { type: "boolean", default: false },
  },
});
const wanted = circuitIds.filter((id) => values.circuit === undefined || id === values.circuit);
const rounds = Number(values.rounds);
if (positionals[0] !== "prove" || wanted.length === 0 || !Number.isInteger(rounds) || rounds < 1) {
  console.error(`usage: npm run bench -- prove [--circuit ${circuitIds.join("|")}] [--rounds 5] [--json]`);
  process.exit(2);
}
const rows: BenchRow[] = [];
for (const id of wanted) {
  const measured = await benchCircuit(id, rounds);
  if (!values.json) console.log(`${measured.map(format).join("\n")}\n`);
  rows.push(...measured);
}
if (values.json) console.log(JSON.stringify(rows));
process.exit(rows.every((row) => row.unit !== "ratio" || row.value <= MAX_RATIO) ? 0 : 1);
