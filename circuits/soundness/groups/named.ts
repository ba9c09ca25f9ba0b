import { assertionsOf } from "../assertions";
import type { Case } from "../case";
import { type Group, runCases, share, spread, Tally, type Task } from "./group";

/** The tests of oidc_domain_attestation run all of its named cases: with every build, the short form need not again. */
function isTestedElsewhere({ id, form }: Task): boolean {
  return form === "short" && id === "oidc_domain_attestation";
}

/** Honest witnesses. */
export const honest: Group = async (task) => {
  const { id, suite } = task;
  const tally = new Tally(id, "honest", "all");
  const cases = isTestedElsewhere(task) ? spread(suite.cases.honest, 20) : suite.cases.honest;
  await runCases(suite.circuit, share(cases, task), tally);
  return [tally];
};

/**
 * At least one case for each rule and each assertion, and hints of our own code that lie. Together they must meet every
 * assertion that has a text.
 */
export const refused: Group = async (task) => {
  const { id, suite } = task;
  const rules = new Tally(id, "rules", "none");
  const lies = new Tally(id, "hostile hints", "none");
  const isPart = isTestedElsewhere(task);
  const some = (cases: readonly Case[], limit: number) => (isPart ? spread(cases, limit) : cases);
  const reasons = new Set<string>();
  for (const reason of await runCases(suite.circuit, some(suite.cases.refused, 70), rules))
    reasons.add(reason);
  for (const reason of await runCases(suite.circuit, some(suite.cases.hints, 30), lies)) reasons.add(reason);
  return isPart ? [rules, lies] : [rules, lies, metAssertions(task, reasons)];
};

/** Each text that an assertion of the circuit's sources refuses with: whether a case was refused with it. */
export function metAssertions(
  { id, suite }: Pick<Task, "id" | "suite">,
  reasons: ReadonlySet<string>,
): Tally {
  const tally = new Tally(id, "assertions met by a case", "all");
  const compiled = suite.circuit.refusalTexts();
  const texts = new Set(assertionsOf(id).flatMap(({ message }) => message ?? []));
  for (const text of texts) if (compiled.has(text)) tally.count(reasons.has(text), text);
  return tally;
}

/** Second encodings. */
export const aliases: Group = async (task) => {
  const { id, suite, form } = task;
  const tally = new Tally(id, "aliases", "none");
  const cases = form === "short" ? spread(suite.cases.aliases, 60) : suite.cases.aliases;
  await runCases(suite.circuit, share(cases, task), tally);
  return [tally];
};
