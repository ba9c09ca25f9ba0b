import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { circuitNames } from "@/lib/proofs/deployment";
import { CIRCUITS_DIR } from "@/scripts/circuits/paths";
import type { Row } from "./groups/group";
import { manifest } from "./manifest";

const circuits = [...circuitNames, "probes"] as const;

const Trial = z.object({
  circuit: z.enum(circuits),
  group: z.string(),
  expected: z.enum(["all", "none", "any"]),
  tried: z.number(),
  accepted: z.number(),
  /** SHA-256 of the artifact that was tried; "none" for the probes, which are compiled when they run. */
  artifact: z.string(),
});

/** A row of a long form that ended, with what it is about. */
export type Trial = z.infer<typeof Trial>;

/** Where the rows are kept, a line of JSON each: committed, since parts of the long form are run again on their own. */
const TRIALS_FILE = path.join(CIRCUITS_DIR, "soundness", "found", "trials.jsonl");

/** Every row that is kept, in the order of the report. */
export function trials(): Trial[] {
  const lines = fs.readFileSync(TRIALS_FILE, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => Trial.parse(JSON.parse(line)));
}

/** The artifact that a row of a present run is about. */
function artifactOf({ circuit, group }: Row): string {
  const build = group.includes("(development)") ? ".development" : "";
  return manifest()[`${circuit}${build}`]?.artifactSha256 ?? "none";
}

/** Whether a row is about the committed artifact. */
export function isPresent(trial: Trial): boolean {
  return trial.artifact === artifactOf({ ...trial, problems: [] });
}

/** Keeps rows of work that came to its end, in the place of older ones of the same circuit and group. */
export function keepTrials(rows: readonly Row[]): void {
  const kept = new Map(trials().map((trial) => [`${trial.circuit} ${trial.group}`, trial]));
  for (const row of rows) {
    const { circuit, group, expected, tried, accepted } = row;
    kept.set(`${circuit} ${group}`, {
      circuit,
      group,
      expected,
      tried,
      accepted,
      artifact: artifactOf(row),
    });
  }
  const rank = ({ circuit }: Trial) => circuits.indexOf(circuit);
  const sorted = [...kept.values()].sort((a, b) => rank(a) - rank(b) || a.group.localeCompare(b.group, "en"));
  fs.writeFileSync(TRIALS_FILE, sorted.map((trial) => `${JSON.stringify(trial)}\n`).join(""));
}
