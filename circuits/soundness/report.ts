import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { ARTIFACTS_DIR, CIRCUITS_DIR } from "@/scripts/circuits/paths";
import { isRight, type Row } from "./groups/group";

const Manifest = z.record(
  z.string(),
  z.object({ artifactSha256: z.string(), gates: z.number(), noirVersion: z.string(), bbVersion: z.string() }),
);

/** The committed manifest: which artifacts the results are about. */
export function manifest() {
  return Manifest.parse(JSON.parse(fs.readFileSync(path.join(ARTIFACTS_DIR, "manifest.json"), "utf8")));
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
      const right = { all: "all", none: "0", any: "any" }[expected];
      return `| ${circuit} | ${group} | ${tried.toLocaleString("en")} | ${accepted.toLocaleString("en")} | ${right} |`;
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
