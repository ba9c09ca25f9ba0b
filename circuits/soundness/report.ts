import fs from "node:fs";
import path from "node:path";
import { CIRCUITS_DIR } from "@/scripts/circuits/paths";
import { isRight, type Row } from "./groups/group";
import { manifest } from "./manifest";
import { isPresent, type Trial, trials } from "./trials";

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

function rowsOf(rows: readonly Trial[]): string {
  return rows
    .map((trial) => {
      const { circuit, group, tried, accepted, expected, artifact } = trial;
      const right = { all: "all", none: "0", any: "any" }[expected];
      const on = artifact === "none" ? "" : isPresent(trial) ? "as above" : code(artifact.slice(0, 8));
      return `| ${circuit} | ${group} | ${tried.toLocaleString("en")} | ${accepted.toLocaleString("en")} | ${right} | ${on} |`;
    })
    .join("\n");
}

/** Text as code in a table. */
export const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;

/** What the results are about. */
export function artifactTable(): string {
  const artifacts = Object.entries(manifest());
  const [, { noirVersion, bbVersion }] = artifacts[0] ?? ["", { noirVersion: "", bbVersion: "" }];
  return `noir ${noirVersion}, bb ${bbVersion}, noir_js of the same version as the compiler; development setup data.

| artifact | sha256 | gates |
| --- | --- | --- |
${artifacts.map(([name, entry]) => `| ${name} | ${code(entry.artifactSha256)} | ${entry.gates.toLocaleString("en")} |`).join("\n")}`;
}

/** Where the report stands. */
export const REPORT_FILE = path.join(CIRCUITS_DIR, "SOUNDNESS.md");

/** What to say of rows that are about an artifact that is no longer committed. */
function olderRows(rows: readonly Trial[]): string {
  const older = new Set(rows.filter((row) => !isPresent(row)).map(({ artifact }) => artifact));
  if (older.size === 0) return "Every row is about the artifact above.";
  return `Where a row names another artifact (${[...older].map((one) => code(one.slice(0, 8))).join(", ")}), it was last run on that one, which the circuit had before:
it says how the sources of that time did, and nothing about what has changed since. What \`npm test\` runs, it runs on the artifacts above.`;
}

/** Text of circuits/SOUNDNESS.md: it follows from what is kept of the runs that ended. */
export function report(rows: readonly Trial[] = trials()): string {
  const method = fs.readFileSync(path.join(CIRCUITS_DIR, "soundness", "METHOD.md"), "utf8").trim();
  return `<!-- Written by npm run circuits:soundness. Change circuits/soundness/METHOD.md, or the code, and run it again. -->

${method}

## What was tried

${artifactTable()}

${olderRows(rows)}

## Results

| circuit | what | tried | accepted | must be | artifact |
| --- | --- | ---: | ---: | ---: | --- |
${rowsOf(rows)}
`;
}
