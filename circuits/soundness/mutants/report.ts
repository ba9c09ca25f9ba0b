import path from "node:path";
import { type CircuitName, circuitNames } from "@/lib/proofs/deployment";
import { CIRCUITS_DIR } from "@/scripts/circuits/paths";
import { textsOf } from "../assertions";
import { whyRedundant } from "../redundant";
import { artifactTable, code } from "../report";
import type { Outcome } from "./hunt";
import { digestOf } from "./mutant";
import { type Tried, triedOf, type Work } from "./store";

const FILES: Readonly<Record<Work, string>> = { removal: "ASSERTIONS.md", mutants: "MUTANTS.md" };

/** Where the report of a kind of work stands. */
export function faultReportFile(work: Work): string {
  return path.join(CIRCUITS_DIR, FILES[work]);
}

const INTROS: Readonly<Record<Work, string>> = {
  removal: `# Assertions removed from the sources, one at a time

Each \`assert\`, \`assert_…\` and \`assert_max_bit_size\` of the circuits and their crates is taken out in turn and the circuit
compiled again; one of the named cases that must be refused ([SOUNDNESS.md](SOUNDNESS.md)) has to be accepted then. It shows that the cases
cover the assertions, and that each assertion is needed. Where an assertion compares several bytes, words or limbs, there is a case for
every one of them, which departs from what is right in that one alone; all of these have to be accepted (the column "one by one").`,
  mutants: `# Constants changed in the sources, one at a time

Every range width (one bit more, one less, and 253), every loop's end (one less), every number of a table or a global constant (one
more), and a letter of every constant text are changed in turn in a private copy, and the circuit is compiled again. What \`npm test\` runs
must notice: a named case that is then accepted, the circuit's shape (its range checks, tables and black boxes, written by hand in
\`soundness/shape.ts\`), or an honest witness that is then refused. Code that only computes hints is left alone.`,
};

function count(tried: readonly Tried[], outcome: Outcome["outcome"], by = ""): number {
  return tried.filter(({ found }) => found?.outcome === outcome && (found.by ?? "").startsWith(by)).length;
}

function summary(work: Work, circuit: CircuitName, tried: readonly Tried[]): string {
  const missing = tried.filter(({ found }) => !found).length;
  const numbers =
    work === "removal"
      ? [count(tried, "caught")]
      : [
          count(tried, "caught", "accepted"),
          count(tried, "caught", "shape"),
          count(tried, "caught", "honest"),
          count(tried, "invalid"),
        ];
  const all = [tried.length, ...numbers, count(tried, "unchanged"), count(tried, "survived"), missing];
  return `| ${circuit} | ${code(digestOf(textsOf(circuit)).slice(0, 16))} | ${all.join(" | ")} |`;
}

/** Survivors with the reason, those of several circuits on one line; or that there are none. */
function survivors(tried: readonly Tried[]): string {
  const groups = new Map<string, { line: string; circuits: string[]; why: string }>();
  for (const { mutant, found } of tried) {
    if (found?.outcome !== "survived") continue;
    const { circuit, file, text, change } = mutant;
    const why = whyRedundant(circuit, file, text, change) ?? "**unexplained**";
    const line = `${file} | ${code(text)} | ${change.replaceAll("|", "\\|")}`;
    const group = groups.get(line + why) ?? { line, circuits: [], why };
    if (!group.circuits.includes(circuit)) group.circuits.push(circuit);
    groups.set(line + why, group);
  }
  if (groups.size === 0) return "Nothing of what was tried goes unnoticed.";
  const rows = [...groups.values()].map(
    ({ line, circuits, why }) => `| ${line} | ${circuits.join(", ")} | ${why} |`,
  );
  return `What nothing notices, and why that is no gap:

| file | statement or line | change | circuits | why |
| --- | --- | --- | --- | --- |
${rows.join("\n")}`;
}

function outcomes(tried: readonly Tried[]): string {
  return tried
    .map(({ mutant, found }) => {
      const { circuit, file, line, text, change } = mutant;
      const oneByOne = found?.family ? `${found.family.accepted} of ${found.family.cases}` : "";
      const what = change === "taken out" ? code(text) : `${code(text)}: ${change.replaceAll("|", "\\|")}`;
      const by = found?.by ? `${found.by.replaceAll("|", "\\|")}` : (found?.outcome ?? "not tried");
      return `| ${circuit} | ${file}:${line} | ${what} | ${by} | ${oneByOne} |`;
    })
    .join("\n");
}

/** Text of circuits/ASSERTIONS.md or MUTANTS.md: it follows from the sources and from what is kept of the runs over them. */
export function faultReport(work: Work): string {
  const tried = circuitNames.map((circuit) => [circuit, triedOf(circuit, work)] as const);
  const all = tried.flatMap(([, one]) => one);
  const caught =
    work === "removal"
      ? ["a case is then accepted"]
      : [
          "a case is then accepted",
          "another shape",
          "an honest witness is then refused",
          "does not compile, or takes other parameters",
        ];
  const columns = [...caught, "the circuit stays the same", "nothing notices", "not tried"];
  return `<!-- Written by npm run circuits:soundness -- --${work}. -->

${INTROS[work]}

${artifactTable()}

The sources' digests are over the code without comments; \`circuits/soundness/found\` keeps every outcome with the digest of the faulty sources, and
\`npm test\` fails when one is missing for the present sources.

| circuit | sources | ${work === "removal" ? "assertions" : "changes"} | ${columns.join(" | ")} |
| --- | --- | ---: | ${columns.map(() => "---:").join(" | ")} |
${tried.map(([circuit, one]) => summary(work, circuit, one)).join("\n")}

${survivors(all)}

<details>
<summary>All of them</summary>

| circuit | where | what | noticed by | one by one |
| --- | --- | --- | --- | --- |
${outcomes(all)}

</details>
`;
}
