import { parseArgs } from "node:util";
import { type CircuitId, circuitIds } from "@/lib/proofs/deployment";
import { artifactFile, type BenchRow, benchProve, loadArtifact } from "@/prover/barretenberg";
import { benchChat, chatLimits } from "./bench/chat";
import { benchProver, proverLimits } from "./bench/prover";
import { honestInputs } from "./circuits/honest-inputs";

/** How much longer than the bare command our prover may take. */
const MAX_RATIO = 1.15;

/**
 * `npm run bench -- prove [--circuit id] [--rounds 5] [--json]`: compares our warm prover with the bare
 * `bb prove` command (key given) for every circuit, on the same witness: that of a real identity token, or of
 * attestations signed with test keys. Exits with 1 when ours takes over 15 % longer.
 *
 * `npm run bench -- prover [--proofs 10] [--json]`: compares the throughput of the HTTP service with a full queue to that
 * command on the same cores, and measures how fast it rejects oversized requests and how long a paid proof takes under
 * unpaid requests. Exits with 1 when it takes over 10 % longer, 50 ms to reject, or 1.2 times as long under unpaid
 * requests.
 *
 * `npm run bench -- chat [--json]`: chat subscribers of one app process, all in this process. Exits with 1 when the
 * 99th percentile of deliveries is 250 ms or more, a subscriber costs over 15 KiB, or a reconnect loses or repeats a
 * message.
 *
 * Run it on an idle machine: other load makes the numbers worthless.
 */
function format({ name, value, unit }: BenchRow): string {
  const digits = { ratio: 3, KiB: 1, ms: 0, gates: 0, count: 0 }[unit];
  const amount = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${name.padEnd(72)} ${`${amount}${unit === "ratio" || unit === "count" ? "" : ` ${unit}`}`.padStart(12)}`;
}

/** Measures our warm prover against the bb command. @yields the rows of each circuit */
async function* benchCircuits(ids: readonly CircuitId[], rounds: number): AsyncGenerator<BenchRow[]> {
  for (const id of ids) {
    // The development stack uses this build.
    const circuit = await loadArtifact(artifactFile(id, "development"));
    yield await benchProve({ circuit, inputs: await honestInputs(id, "development"), rounds });
  }
}

/** Returns whether a row is within its limit. */
function proveLimit(row: BenchRow): boolean {
  return row.unit !== "ratio" || row.value <= MAX_RATIO;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    circuit: { type: "string" },
    rounds: { type: "string", default: "5" },
    proofs: { type: "string", default: "10" },
    json: { type: "boolean", default: false },
  },
});
const wanted = circuitIds.filter((id) => values.circuit === undefined || id === values.circuit);
const [rounds, proofs] = [Number(values.rounds), Number(values.proofs)];
const [what] = positionals;
const counts = [rounds, proofs].every((count) => Number.isInteger(count) && count >= 1);
if (!["prove", "prover", "chat"].includes(what ?? "") || wanted.length === 0 || !counts) {
  console.error(
    `usage: npm run bench -- prove [--circuit ${circuitIds.join("|")}] [--rounds 5] [--json]\n` +
      "       npm run bench -- prover [--proofs 10] [--json]\n" +
      "       npm run bench -- chat [--json]",
  );
  process.exit(2);
}
function measured(): { groups: AsyncGenerator<BenchRow[]>; within: (row: BenchRow) => boolean } {
  if (what === "prove") return { groups: benchCircuits(wanted, rounds), within: proveLimit };
  if (what === "prover") return { groups: benchProver(proofs), within: proverLimits };
  return { groups: benchChat(), within: chatLimits };
}
const { groups, within } = measured();
const rows: BenchRow[] = [];
for await (const group of groups) {
  if (!values.json) console.log(`${group.map(format).join("\n")}\n`);
  rows.push(...group);
}
if (values.json) console.log(JSON.stringify(rows));
process.exit(rows.every(within) ? 0 : 1);
