import { parseArgs } from "node:util";
import { circuitIds } from "@/lib/proofs/deployment";
import type { BenchRow } from "@/prover/barretenberg";
import { benchChat, chatLimits } from "./bench/chat";
import { benchCircuits, proveLimit } from "./bench/prove";
import { benchProver, proverLimits } from "./bench/prover";

/**
 * `npm run bench -- prove [--circuit id] [--rounds 5] [--json]`: our warm prover beside the bare `bb prove` command
 * with the key given, for every circuit, on the same witness: of a real identity token, and of attestations signed
 * with test keys. Exit status 1 when ours takes over 15 % longer (design/assurance.md).
 *
 * `npm run bench -- prover [--proofs 10] [--json]`: throughput of the HTTP service with its queue full beside the same
 * command on the same cores, and how fast it refuses what is too large, and what a paid proof takes while others
 * send requests that pay nothing. Exit status 1 when it takes over 10 % longer, 50 ms to refuse, or 1.2 times as long
 * under unpaid requests.
 *
 * `npm run bench -- chat [--json]`: subscribers of one process of the app, from this one. Exit status 1 when the 99th
 * percentile of deliveries is 250 ms or more, a subscriber costs over 15 KiB, or a reconnect loses or repeats something.
 *
 * Numbers of a machine that does something else as well are worth nothing.
 */
function format({ name, value, unit }: BenchRow): string {
  const digits = { ratio: 3, KiB: 1, ms: 0, gates: 0, count: 0 }[unit];
  const amount = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${name.padEnd(72)} ${`${amount}${unit === "ratio" || unit === "count" ? "" : ` ${unit}`}`.padStart(12)}`;
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
const show = (rows: BenchRow[]) => {
  if (!values.json) console.log(`${rows.map(format).join("\n")}\n`);
};
async function measured(): Promise<{ rows: BenchRow[]; within: (row: BenchRow) => boolean }> {
  if (what === "prove") return { rows: await benchCircuits(wanted, rounds, show), within: proveLimit };
  if (what === "prover") return { rows: await benchProver(proofs, show), within: proverLimits };
  return { rows: await benchChat(show), within: chatLimits };
}
const { rows, within } = await measured();
if (values.json) console.log(JSON.stringify(rows));
process.exit(rows.every(within) ? 0 : 1);
