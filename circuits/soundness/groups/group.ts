import type { CircuitName } from "@/lib/proofs/deployment";
import type { Case } from "../case";
import type { Circuit, Verdict } from "../circuit";
import type { Suite } from "../suites";

/** How much is tried: `short` runs with every build, `long` is the audit. */
export type Form = "short" | "long";

/** One row of the table: how many things of a kind were tried, and how many of them were accepted. */
export interface Row {
  circuit: CircuitName | "probes";
  group: string;
  /** Whether all of them must be accepted, or none; "any" when the number is only reported. */
  expected: "all" | "none" | "any";
  tried: number;
  accepted: number;
  /** What went wrong, a line each. */
  problems: string[];
}

/** What a group works on. Parts of a group run in different processes. */
export interface Task {
  id: CircuitName;
  suite: Suite;
  form: Form;
  part: number;
  parts: number;
}

/** One group of trials; it makes a row, or several. */
export type Group = (task: Task) => Promise<Row[]>;

/** A row to count in. */
export class Tally implements Row {
  tried = 0;
  accepted = 0;
  problems: string[] = [];

  constructor(
    readonly circuit: Row["circuit"],
    readonly group: string,
    readonly expected: Row["expected"],
  ) {}

  /** Counts one trial; `what` says which, should it have gone wrong. */
  count(accepted: boolean, what: string): void {
    this.tried++;
    if (accepted) this.accepted++;
    if (this.expected !== "any" && accepted !== (this.expected === "all")) {
      this.problems.push(`${what}: ${accepted ? "accepted" : "refused"}`);
    }
  }
}

/** Whether a row is as it must be. A group that tried nothing shows nothing. */
export function isRight({ expected, tried, accepted, problems }: Row): boolean {
  if (tried === 0 || problems.length > 0) return false;
  return expected === "any" || accepted === (expected === "all" ? tried : 0);
}

/** What a case says, as one line. */
export function lineOf(what: string, verdict: Verdict): string {
  return verdict.accepted ? what : `${what} (${verdict.reason})`;
}

/** The share of a list that belongs to a part. */
export function share<T>(list: readonly T[], { part, parts }: Task): T[] {
  return list.filter((_, i) => i % parts === part);
}

/** At most `limit` of a list, evenly spread. */
export function spread<T>(list: readonly T[], limit: number): T[] {
  if (list.length <= limit) return [...list];
  return list.filter(
    (_, i) => Math.floor((i * limit) / list.length) !== Math.floor(((i - 1) * limit) / list.length),
  );
}

/**
 * Runs named cases and counts them. A refusal for another reason than the one named is a problem, too.
 *
 * @returns the reasons of all refusals.
 */
export async function runCases(circuit: Circuit, cases: readonly Case[], tally: Tally): Promise<Set<string>> {
  const reasons = new Set<string>();
  for (const { name, inputs, reason, ...options } of cases) {
    const verdict = await circuit.run(inputs, options);
    tally.count(verdict.accepted, lineOf(name, verdict));
    if (verdict.accepted) continue;
    reasons.add(verdict.reason);
    if (reason && !reason.test(verdict.reason)) {
      tally.problems.push(`${name}: refused because of "${verdict.reason}", not of ${reason}`);
    }
  }
  return reasons;
}
