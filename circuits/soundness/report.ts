import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { ARTIFACTS_DIR, CIRCUITS_DIR } from "@/scripts/circuits/paths";
import { isRight, type Row } from "./groups/group";
import { whyRedundant } from "./redundant";
import type { Removal } from "./removal";

const Manifest = z.record(
  z.string(),
  z.object({ artifactSha256: z.string(), gates: z.number(), noirVersion: z.string(), bbVersion: z.string() }),
);

/** The committed manifest: which artifacts the results are about. */
export function manifest() {
  return Manifest.parse(JSON.parse(fs.readFileSync(path.join(ARTIFACTS_DIR, "manifest.json"), "utf8")));
}

/** Survivors that nobody has explained. */
export function unexplained(removals: readonly Removal[]): Removal[] {
  return removals.filter(
    ({ circuit, assertion, outcome }) =>
      outcome === "survived" && whyRedundant(circuit, assertion.file, assertion.text) === undefined,
  );
}

/** The table, for the terminal. */
export function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ group }) => group.length));
  return rows
    .map((row) => {
      const counts = `${String(row.tried).padStart(7)} ${String(row.accepted).padStart(9)}`;
      return `${row.circuit.padEnd(28)} ${row.group.padEnd(width)} ${counts}  ${isRight(row) ? "ok" : "WRONG"}`;
    })
    .join("\n");
}

function rowsOf(rows: readonly Row[]): string {
  return rows
    .map(({ circuit, group, tried, accepted, expected }) => {
      const right = expected === "all" ? "all" : "0";
      return `| ${circuit} | ${group} | ${tried.toLocaleString("en")} | ${accepted.toLocaleString("en")} | ${right} |`;
    })
    .join("\n");
}

function removalRows(removals: readonly Removal[]): string {
  const circuits = [...new Set(removals.map(({ circuit }) => circuit))];
  return circuits
    .map((circuit) => {
      const own = removals.filter((removal) => removal.circuit === circuit);
      const of = (outcome: Removal["outcome"]) => own.filter((removal) => removal.outcome === outcome).length;
      return `| ${circuit} | ${own.length} | ${of("missed")} | ${of("unchanged")} | ${of("survived")} |`;
    })
    .join("\n");
}

const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;

function survivorRows(removals: readonly Removal[]): string {
  const groups = new Map<string, string[]>();
  for (const { circuit, assertion, outcome } of removals) {
    if (outcome !== "survived") continue;
    const why = whyRedundant(circuit, assertion.file, assertion.text) ?? "**unexplained**";
    const key = `${assertion.file} | ${code(assertion.text)} | ${why}`;
    groups.set(key, [...(groups.get(key) ?? []), circuit]);
  }
  return [...groups]
    .map(([key, circuits]) => {
      const [file, text, ...why] = key.split(" | ");
      return `| ${file} | ${text} | ${circuits.join(", ")} | ${why.join(" | ")} |`;
    })
    .join("\n");
}

function missedRows(removals: readonly Removal[]): string {
  return removals
    .filter(({ outcome }) => outcome === "missed")
    .map(
      ({ circuit, assertion, by }) =>
        `| ${circuit} | ${assertion.file}:${assertion.line} | ${code(by ?? "")} |`,
    )
    .join("\n");
}

/** What the results are about. */
function artifactTable(): string {
  const artifacts = Object.entries(manifest());
  const [, { noirVersion, bbVersion }] = artifacts[0] ?? ["", { noirVersion: "", bbVersion: "" }];
  return `noir ${noirVersion}, bb ${bbVersion}, noir_js of the same version as the compiler; development setup data.

| artifact | sha256 | gates |
| --- | --- | --- |
${artifacts.map(([name, entry]) => `| ${name} | ${code(entry.artifactSha256)} | ${entry.gates.toLocaleString("en")} |`).join("\n")}`;
}

/** Text of circuits/SOUNDNESS.md: the same for the same artifacts, whenever and wherever it is made. */
export function report(rows: readonly Row[]): string {
  const method = fs.readFileSync(path.join(CIRCUITS_DIR, "soundness", "METHOD.md"), "utf8").trim();
  return `<!-- Written by npm run circuits:soundness. Change circuits/soundness/METHOD.md, or the code, and run it again. -->

${method}

## What was tried

${artifactTable()}

## Results

| circuit | what | tried | accepted | must be |
| --- | --- | ---: | ---: | ---: |
${rowsOf(rows)}
`;
}

/** Text of circuits/ASSERTIONS.md: the same for the same sources. */
export function removalReport(removals: readonly Removal[]): string {
  return `<!-- Written by npm run circuits:soundness -- --removal. -->

# Assertions removed from the sources, one at a time

Each \`assert\`, \`assert_…\` and \`assert_max_bit_size\` of the circuits and their crates is taken out in turn and the circuit
compiled again; one of the cases that must be refused ([SOUNDNESS.md](SOUNDNESS.md), "rules") has to be accepted then. It shows
that the cases cover the assertions, and that each assertion is needed.

${artifactTable()}

| circuit | assertions | a case is then accepted | the circuit stays the same | every case is still refused |
| --- | ---: | ---: | ---: | ---: |
${removalRows(removals)}

Those that every case survives without, and why:

| file | statement | circuits | why it is no gap |
| --- | --- | --- | --- |
${survivorRows(removals)}

<details>
<summary>The case that each of the others is needed for</summary>

| circuit | statement | accepted without it |
| --- | --- | --- |
${missedRows(removals)}

</details>
`;
}
