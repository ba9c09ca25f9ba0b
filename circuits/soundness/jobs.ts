import { type CircuitId, circuitIds } from "@/lib/proofs/deployment";
import { assertionsOf } from "./assertions";
import { compilerHints } from "./groups/compiler-hints";
import { freeWitnesses } from "./groups/free";
import { fuzzClaims } from "./groups/fuzz-claims";
import { fuzzTransactions } from "./groups/fuzz-transactions";
import { type Form, type Group, type Row, Tally } from "./groups/group";
import { mutations } from "./groups/mutations";
import { aliases, honest, refused } from "./groups/named";
import { oneNullifier } from "./groups/nullifier";
import { publicWords } from "./groups/words";
import { crossedProofs } from "./proofs/crossed";
import { forcedWitnesses } from "./proofs/forced";
import { probes } from "./proofs/probes";
import { type Removal, Remover } from "./removal";
import { suiteOf } from "./suites";

/** A piece of work for one process. */
export interface Job {
  /** `<work>` or `<work> <circuit>`, which is also what progress lines say. */
  work: string;
  circuit: CircuitId | undefined;
  part: number;
  parts: number;
}

/** What a piece of work found. */
export interface Found {
  rows: Row[];
  removals: Removal[];
}

const fuzz: Group = (task) =>
  task.id === "oidc_domain_attestation" ? fuzzClaims(task) : fuzzTransactions(task);

/** Groups of one circuit, with the number of parts that the long form cuts them into. */
const groups: readonly { work: string; run: Group; parts: number }[] = [
  { work: "named", run: refused, parts: 1 },
  { work: "honest", run: honest, parts: 1 },
  { work: "mutations", run: mutations, parts: 8 },
  { work: "fuzz", run: fuzz, parts: 8 },
  { work: "nullifier", run: oneNullifier, parts: 8 },
  { work: "aliases", run: aliases, parts: 4 },
  { work: "free", run: freeWitnesses, parts: 4 },
  { work: "compiler's hints", run: compilerHints, parts: 2 },
  { work: "words", run: publicWords, parts: 1 },
];

const REMOVAL_PARTS = 12;

/** Taking every assertion out of the sources in turn, on all circuits or on one. */
export function removalJobs(only: CircuitId | undefined): Job[] {
  return circuitIds
    .filter((id) => only === undefined || id === only)
    .flatMap((circuit) =>
      Array.from({ length: REMOVAL_PARTS }, (_, part) => ({
        work: "removal",
        circuit,
        part,
        parts: REMOVAL_PARTS,
      })),
    );
}

/** The work of a form, on all circuits or on one. */
export function jobsOf(form: Form, only: CircuitId | undefined): Job[] {
  const circuits = circuitIds.filter((id) => only === undefined || id === only);
  const parted = (work: string, circuit: CircuitId, parts: number): Job[] =>
    Array.from({ length: form === "short" ? 1 : parts }, (_, part, all = form === "short" ? 1 : parts) => ({
      work,
      circuit,
      part,
      parts: all,
    }));
  const jobs = circuits.flatMap((circuit) =>
    groups.flatMap(({ work, parts }) => parted(work, circuit, parts)),
  );
  const whole = (work: string, circuit?: CircuitId): Job => ({ work, circuit, part: 0, parts: 1 });
  const crossed = only === undefined ? [whole("crossed proofs")] : [];
  if (form === "short") return [...crossed, ...jobs];
  return [
    ...(only === undefined ? [whole("probes")] : []),
    ...crossed,
    ...circuits.map((circuit) => whole("forced witnesses", circuit)),
    ...jobs,
  ];
}

/** Does one piece of work. */
export async function runJob(job: Job, form: Form, log: (line: string) => void): Promise<Found> {
  const { work, circuit, part, parts } = job;
  if (work === "probes") return { rows: await probes(log), removals: [] };
  if (work === "crossed proofs") return { rows: await crossedProofs(form, log), removals: [] };
  if (circuit === undefined) throw new RangeError(`${work} needs a circuit`);
  if (work === "forced witnesses") return { rows: await forcedWitnesses([circuit], log), removals: [] };
  const suite = await suiteOf(circuit);
  if (work === "removal") {
    const remover = await Remover.of(circuit, suite);
    const removals: Removal[] = [];
    const mine = assertionsOf(circuit).filter((_, i) => i % parts === part);
    for (const assertion of mine) {
      const removal = await remover.remove(assertion);
      removals.push(removal);
      log(`${assertion.file}:${assertion.line} ${removal.outcome}`);
    }
    return { rows: [], removals };
  }
  const group = groups.find((one) => one.work === work);
  if (!group) throw new RangeError(`there is no work ${work}`);
  return { rows: await group.run({ id: circuit, suite, form, part, parts }), removals: [] };
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
