import { appVariables } from "./app";
import { aboutOf, type Group, type Shape } from "./declare";
import { developmentVariables, internalVariables, standInVariables } from "./development";
import { facilitatorVariables } from "./facilitator";
import { generalVariables } from "./general";
import { proverVariables } from "./prover";
import { type Checked, checkSettings, type Environment, FILE_SUFFIX } from "./read";
import { cliVariables, operatorVariables, proveVariables, testVariables } from "./tools";

/** Every variable that a service reads, in the order of the operator's pages. */
export const services: readonly Group[] = [
  { title: "General", by: "app, prover, facilitator", variables: generalVariables },
  { title: "Community app", by: "app", variables: appVariables },
  { title: "Prover", by: "prover", variables: proverVariables },
  { title: "Self-hosted facilitator", by: "facilitator", variables: facilitatorVariables },
  { title: "Development only", by: "", variables: developmentVariables },
];

/** Variables of commands and tests. */
export const tools: readonly Group[] = [
  { title: "Commands", by: "", variables: { ...operatorVariables, ...proveVariables, ...cliVariables } },
  { title: "Tests", by: "", variables: testVariables },
];

const declared: readonly Shape[] = [
  ...[...services, ...tools].map(({ variables }) => variables),
  ...Object.values(standInVariables),
  internalVariables,
];

/** The names of all secrets. A program is given only those that it reads. */
export const secrets: readonly string[] = declared.flatMap((shape) =>
  Object.entries(shape).flatMap(([name, variable]) => (aboutOf(variable).secret ? [name] : [])),
);

/** The names of all declared variables, with those of the files of secrets. */
export const names: ReadonlySet<string> = new Set([
  ...declared.flatMap((shape) => Object.keys(shape)),
  ...secrets.map((name) => name + FILE_SUFFIX),
]);

const OURS = /^(PARLEY|PROVER)_/;
/** Kubernetes sets these for a service with our name, and NAME_PORT to an address. */
const KUBERNETES = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP)(_|$)/;
const ADDRESS = /^(tcp|udp):/;

/** Returns the variables that begin like ours and that nothing reads: misspelled ones would be ignored silently. */
export function misspelled(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => OURS.test(name) && !names.has(name))
    .filter((name) => !KUBERNETES.test(name) && !ADDRESS.test(environment[name] ?? ""))
    .map((name) => `${name} is not a setting of Parley: it is misspelled or out of date`);
}

/** Reads the variables of a program when it starts, and looks for misspelled ones. */
export function checkProgram<S extends Shape>(shape: S, environment: Environment): Checked<S> {
  const { values, problems } = checkSettings(shape, environment);
  return { values, problems: [...problems, ...misspelled(environment)] };
}
