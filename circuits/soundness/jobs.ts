import { type CircuitName, circuitNames } from "@/lib/proofs/deployment";
import { compilerHints } from "./groups/compiler-hints";
import { freeWitnesses } from "./groups/free";
import { fuzzClaims } from "./groups/fuzz-claims";
import { fuzzMembers } from "./groups/fuzz-members";
import { fuzzTransactions } from "./groups/fuzz-transactions";
import { type Form, type Group, type Row, Tally } from "./groups/group";
import { mutations } from "./groups/mutations";
import { aliases, families, honest, refused } from "./groups/named";
import { oneNullifier } from "./groups/nullifier";
import { publicWords } from "./groups/words";
import { Hunter } from "./mutants/hunt";
import type { Mutant } from "./mutants/mutant";
import { namedMutants } from "./mutants/named";
import { foundOf, keep, mutantsOf, problemOf, type Work, works } from "./mutants/store";
import { crossedProofs } from "./proofs/crossed";
import { forcedWitnesses } from "./proofs/forced";
import { probes } from "./proofs/probes";
import { suiteOf } from "./suites";

/** A piece of work for one process. */
export interface Job {
  /** `<work>` or `<work> <circuit>`, which is also what progress lines say. */
  work: string;
  circuit: CircuitName | undefined;
  part: number;
  parts: number;
}

/** What a piece of work found. */
export interface Found {
  rows: Row[];
  /** It did not come to its end. */
  hasCrashed?: true | undefined;
}

const fuzz: Group = (task) => {
  if (task.id === "anonymous_membership") return fuzzMembers(task);
  return task.id === "oidc_domain_attestation" ? fuzzClaims(task) : fuzzTransactions(task);
};

const NAMED_MUTANTS = "named mutants";

/** Groups of one circuit, with the number of parts that the long form cuts them into. */
const groups: readonly { work: string; run: Group; parts: number }[] = [
  { work: "named", run: refused, parts: 1 },
  { work: "honest", run: honest, parts: 1 },
  { work: "families", run: families, parts: 1 },
  { work: "mutations", run: mutations, parts: 8 },
  { work: "fuzz", run: fuzz, parts: 8 },
  { work: "nullifier", run: oneNullifier, parts: 8 },
  { work: "aliases", run: aliases, parts: 4 },
  { work: "free", run: freeWitnesses, parts: 4 },
  { work: "compiler's hints", run: compilerHints, parts: 2 },
  { work: "words", run: publicWords, parts: 1 },
];

/** Putting faults into the sources, on all circuits or on one: what was tried on the same sources is not tried again. */
export function mutantJobs(work: Work, only: CircuitName | undefined): Job[] {
  return circuitNames
    .filter((id) => only === undefined || id === only)
    .map((circuit) => ({ work, circuit, part: 0, parts: 1 }));
}

async function hunt(circuit: CircuitName, work: Work, log: (line: string) => void): Promise<Row> {
  const tally = new Tally(circuit, work === "removal" ? "assertions removed" : "constants changed", "all");
  const known = foundOf(circuit);
  const mutants = mutantsOf(circuit, work);
  // What went unnoticed is tried again: there may be new cases, which the digest does not count.
  const isOpen = (mutant: Mutant) => problemOf({ mutant, found: known.get(mutant.digest) }) !== undefined;
  const hunter = mutants.some(isOpen) ? await Hunter.of(circuit, await suiteOf(circuit)) : undefined;
  // Widths and bounds first: a run that ends early has done what matters most.
  const rank = ({ kind }: Mutant) => ["width", "bound", "number", "text"].indexOf(kind);
  for (const mutant of mutants.toSorted((a, b) => rank(a) - rank(b))) {
    let found = known.get(mutant.digest);
    if (hunter && isOpen(mutant)) {
      found = await hunter.hunt(mutant);
      keep(circuit, found);
      log(`${mutant.file}:${mutant.line} ${mutant.change}: ${found.outcome} ${found.by ?? ""}`);
    }
    const problem = problemOf({ mutant, found });
    tally.count(problem === undefined, problem ?? "");
  }
  return tally;
}

/** The work of a form, on all circuits or on one. */
export function jobsOf(form: Form, only: CircuitName | undefined): Job[] {
  const circuits = circuitNames.filter((id) => only === undefined || id === only);
  const parted = (work: string, circuit: CircuitName, parts: number): Job[] =>
    Array.from({ length: form === "short" ? 1 : parts }, (_, part, all = form === "short" ? 1 : parts) => ({
      work,
      circuit,
      part,
      parts: all,
    }));
  const jobs = circuits.flatMap((circuit) =>
    groups.flatMap(({ work, parts }) => parted(work, circuit, parts)),
  );
  const whole = (work: string, circuit?: CircuitName): Job => ({ work, circuit, part: 0, parts: 1 });
  const crossed = only === undefined ? [whole("crossed proofs")] : [];
  // In one process, since each has to compile the compiler before it compiles a circuit; and early, for it takes longest.
  const faults = whole(NAMED_MUTANTS, only);
  if (form === "short") return [...crossed, faults, ...jobs];
  return [
    ...(only === undefined ? [whole("probes")] : []),
    ...crossed,
    faults,
    ...circuits.map((circuit) => whole("forced witnesses", circuit)),
    ...jobs,
  ];
}

/** Does one piece of work. */
export async function runJob(job: Job, form: Form, log: (line: string) => void): Promise<Found> {
  const { work, circuit, part, parts } = job;
  if (work === "probes") return { rows: await probes(log) };
  if (work === "crossed proofs") return { rows: await crossedProofs(form, log) };
  if (work === NAMED_MUTANTS) {
    const rows: Row[] = [];
    for (const id of circuit ? [circuit] : circuitNames) rows.push(...(await namedMutants(id)));
    return { rows };
  }
  if (circuit === undefined) throw new RangeError(`${work} needs a circuit`);
  if (work === "forced witnesses") return { rows: await forcedWitnesses([circuit], log) };
  const fault = works.find((one) => one === work);
  if (fault) return { rows: [await hunt(circuit, fault, log)] };
  const suite = await suiteOf(circuit);
  const group = groups.find((one) => one.work === work);
  if (!group) throw new RangeError(`there is no work ${work}`);
  return { rows: await group.run({ id: circuit, suite, form, part, parts }) };
}

/** Rows of the same circuit and group, added up. */
export function addUp(rows: readonly Row[]): Row[] {
  const sums = new Map<string, Tally>();
  for (const row of rows) {
    const key = `${row.circuit}\n${row.group}\n${row.expected}`;
    const sum = sums.get(key) ?? new Tally(row.circuit, row.group, row.expected);
    sum.tried += row.tried;
    sum.accepted += row.accepted;
    sum.problems.push(...row.problems);
    sums.set(key, sum);
  }
  return [...sums.values()];
}
