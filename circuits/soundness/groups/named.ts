import { assertionsOf } from "../assertions";
import { type Group, runCases, share, spread, Tally, type Task } from "./group";

/** The tests of oidc_domain_attestation run its named cases (circuits/test/oidc.test.ts): with every build, the short form need not again. */
function isTestedElsewhere({ id, form }: Task): boolean {
  return form === "short" && id === "oidc_domain_attestation";
}

/** Honest witnesses. */
export const honest: Group = async (task) => {
  const { id, suite } = task;
  if (isTestedElsewhere(task)) return [];
  const tally = new Tally(id, "honest", "all");
  await runCases(suite.circuit, share(suite.cases.honest, task), tally);
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
  const reasons = await runCases(suite.circuit, suite.cases.hints, lies);
  if (isTestedElsewhere(task)) return [lies];
  for (const reason of await runCases(suite.circuit, suite.cases.refused, rules)) reasons.add(reason);
  // A circuit without hints of its own has nothing to lie about.
  return [rules, ...(suite.cases.hints.length > 0 ? [lies] : []), metAssertions(task, reasons)];
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

/** Second encodings: those written for one rule, then those of every parameter. */
export const aliases: Group = async (task) => {
  const { id, suite, form } = task;
  const tally = new Tally(id, "aliases", "none");
  const written = isTestedElsewhere(task) ? [] : suite.cases.aliases;
  const sample = form === "short" ? spread(suite.encodings, 60) : suite.encodings;
  await runCases(suite.circuit, share([...written, ...sample], task), tally);
  return [tally];
};

/** Every byte, word and limb that is compared, one at a time: also in the short form, since nothing else shows a comparison that lost one. */
export const families: Group = async (task) => {
  const { id, suite } = task;
  const tally = new Tally(id, "one byte, word or limb", "none");
  await runCases(
    suite.circuit,
    share(
      suite.cases.families.flatMap(({ cases }) => cases),
      task,
    ),
    tally,
  );
  return [tally];
};
