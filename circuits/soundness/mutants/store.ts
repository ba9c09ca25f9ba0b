import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type CircuitName, circuitNames } from "@/lib/proofs/deployment";
import { CIRCUITS_DIR } from "@/scripts/circuits/paths";
import { assertionsIn, type Sources, textsOf } from "../assertions";
import { whyRedundant } from "../redundant";
import { constantMutants } from "./constants";
import type { Outcome } from "./hunt";
import { type Mutant, mutantOf } from "./mutant";

/** What is taken out or changed, as the command line names it. */
export const works = ["removal", "mutants"] as const;
export type Work = (typeof works)[number];

const Found = z.object({
  digest: z.string(),
  outcome: z.enum(["caught", "unchanged", "invalid", "survived"]),
  by: z.string().optional(),
  family: z.object({ cases: z.number(), accepted: z.number() }).optional(),
});

/** A mutant with what became of it, if it was tried on these sources. */
export interface Tried {
  mutant: Mutant;
  found: Outcome | undefined;
}

/** Where outcomes are kept, a line of JSON each: committed, and added to as they come, so that a run can be taken up again. */
function storeFile(circuit: CircuitName): string {
  return path.join(CIRCUITS_DIR, "soundness", "found", `${circuit}.jsonl`);
}

const lines = (circuit: CircuitName): string[] => {
  const file = storeFile(circuit);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
};

/** Outcomes by the digest of the faulty sources. */
export function foundOf(circuit: CircuitName): Map<string, Outcome> {
  return new Map(
    lines(circuit).map((line) => {
      const { by, family, ...found } = Found.parse(JSON.parse(line));
      return [found.digest, { ...found, ...(by && { by }), ...(family && { family }) }];
    }),
  );
}

/** Keeps an outcome. */
export function keep(circuit: CircuitName, outcome: Outcome): void {
  fs.mkdirSync(path.dirname(storeFile(circuit)), { recursive: true });
  fs.appendFileSync(storeFile(circuit), `${JSON.stringify(outcome)}\n`);
}

const made = new Map<string, Mutant[]>();

/** Every mutant of a kind of work, in the order of files and places. Made once per process. */
export function mutantsOf(circuit: CircuitName, work: Work): Mutant[] {
  const key = `${circuit} ${work}`;
  const known = made.get(key);
  if (known) return known;
  const sources = textsOf(circuit);
  const mutants = work === "removal" ? removalMutants(circuit, sources) : constantMutants(circuit, sources);
  made.set(key, mutants);
  return mutants;
}

/** The mutants of a kind of work with their outcomes. */
export function triedOf(circuit: CircuitName, work: Work): Tried[] {
  const found = foundOf(circuit);
  return mutantsOf(circuit, work).map((mutant) => ({ mutant, found: found.get(mutant.digest) }));
}

/** Sorts what is kept by place, without what is about sources that are no more. */
export function tidy(): void {
  for (const circuit of circuitNames) {
    const tried = works.flatMap((work) => triedOf(circuit, work));
    const kept = tried.flatMap(({ found }) => (found ? [`${JSON.stringify(found)}\n`] : []));
    if (kept.length > 0) fs.writeFileSync(storeFile(circuit), kept.join(""));
  }
}

/** What is wrong with an outcome: nobody tried it, or it survived and nobody says why that is right. */
export function problemOf({ mutant, found }: Tried): string | undefined {
  const { circuit, file, line, text, change } = mutant;
  const what = `${circuit} ${file}:${line} ${change}: ${text}`;
  if (!found) return `${what}: not tried`;
  if (found.outcome === "survived" && whyRedundant(circuit, file, text, change) === undefined)
    return `${what}: survived, and nobody says why`;
  if (found.family && found.family.accepted < found.family.cases)
    return `${what}: only ${found.family.accepted} of ${found.family.cases} cases are then accepted`;
  return undefined;
}

/** A circuit without one of its assertions, for each of them. */
function removalMutants(circuit: CircuitName, sources: Sources = textsOf(circuit)): Mutant[] {
  return [...sources].flatMap(([file, source]) =>
    assertionsIn(file, source).map(({ text, start, end }) =>
      mutantOf(circuit, sources, {
        kind: "removal",
        text,
        change: "taken out",
        edits: [{ file, start, end, by: "" }],
      }),
    ),
  );
}
