import { type Group, runCases, share, spread, Tally } from "./group";

/** Honest witnesses. The short form leaves none out: they are what everything else is compared with. */
export const honest: Group = async (task) => {
  const { id, suite } = task;
  const tally = new Tally(id, "honest", "all");
  await runCases(suite.circuit, share(suite.cases.honest, task), tally);
  return [tally];
};

/** At least one case for each rule and each assertion. */
export const refused: Group = async (task) => {
  const { id, suite } = task;
  const tally = new Tally(id, "rules", "none");
  await runCases(suite.circuit, share(suite.cases.refused, task), tally);
  return [tally];
};

/** Hints of our own code that lie. */
export const hints: Group = async (task) => {
  const { id, suite, form } = task;
  const tally = new Tally(id, "hostile hints", "none");
  const cases = form === "short" ? spread(suite.cases.hints, 40) : suite.cases.hints;
  await runCases(suite.circuit, share(cases, task), tally);
  return [tally];
};

/** Second encodings. */
export const aliases: Group = async (task) => {
  const { id, suite, form } = task;
  const tally = new Tally(id, "aliases", "none");
  const cases = form === "short" ? spread(suite.cases.aliases, 60) : suite.cases.aliases;
  await runCases(suite.circuit, share(cases, task), tally);
  return [tally];
};
