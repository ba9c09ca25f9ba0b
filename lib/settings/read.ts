import { readFileSync } from "node:fs";
import { z } from "zod";
import { aboutOf, type Shape } from "./declare";

/** Environment variables by name. Next narrows NodeJS.ProcessEnv to a type that requires NODE_ENV. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type Values<S extends Shape> = z.output<z.ZodObject<S>>;

/** Settings prevent the start. The message lists every problem: which variable, what it must be, and no secret's value. */
export class SettingsError extends Error {
  override name = "SettingsError";

  constructor(
    readonly problems: readonly string[],
    title = "these settings prevent the start:",
  ) {
    super(problems.length === 1 ? problems[0] : [title, ...problems.map((each) => `- ${each}`)].join("\n"));
  }
}

/** The suffix of a variable that names the file with a secret. */
export const FILE_SUFFIX = "_FILE";

/** Returns whether a variable is set, itself or as a file. An empty text is what containers pass for "not set". */
export function isSet(environment: Environment, name: string): boolean {
  return Boolean(environment[name] || environment[name + FILE_SUFFIX]);
}

/** Returns the text of a secret, from its variable or its file. */
export function secretText(environment: Environment, name: string): string | undefined {
  const file = environment[name + FILE_SUFFIX];
  return environment[name] || (file ? contentOf(file) : undefined);
}

/** What was read, and what is wrong. */
export interface Checked<S extends Shape> {
  /** A variable with a problem counts as not set. Undefined only if one is required that is wrong or missing. */
  readonly values: Values<S> | undefined;
  readonly problems: readonly string[];
}

/** Reads variables and collects all problems. */
export function checkSettings<S extends Shape>(shape: S, environment: Environment): Checked<S> {
  const problems: string[] = [];
  const given = textsOf(shape, environment, problems);
  const schema = z.object(shape);
  const parsed = schema.safeParse(given);
  if (parsed.success) return { values: parsed.data, problems };
  const wrong = new Map<string, string>();
  for (const issue of parsed.error.issues) {
    const name = String(issue.path[0]);
    if (wrong.has(name)) continue;
    // Zod's own messages may show a part of the value.
    const rule = issue.code === "custom" ? issue.message : `must be ${ruleOf(shape, name)}`;
    wrong.set(name, given[name] === undefined ? `${name} is not set; it ${rule}` : `${name} ${rule}`);
  }
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)));
  return { values: schema.safeParse(rest).data, problems: [...problems, ...wrong.values()] };
}

function ruleOf(shape: Shape, name: string): string {
  const declared = shape[name];
  return declared ? aboutOf(declared).rule : "";
}

/** @throws SettingsError that lists every problem */
export function readSettings<S extends Shape>(shape: S, environment: Environment): Values<S> {
  const { values, problems } = checkSettings(shape, environment);
  if (values === undefined || problems.length > 0) throw new SettingsError(problems);
  return values;
}

/**
 * Reads what code needs before or apart from the start, which reports problems: a wrong variable counts as not set.
 * @throws SettingsError only if a required variable is missing
 */
export function effectiveSettings<S extends Shape>(shape: S, environment: Environment): Values<S> {
  const { values, problems } = checkSettings(shape, environment);
  if (values === undefined) throw new SettingsError(problems);
  return values;
}

function textsOf(shape: Shape, environment: Environment, problems: string[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, declared] of Object.entries(shape)) {
    const text = environment[name];
    const file = aboutOf(declared).secret && environment[name + FILE_SUFFIX];
    if (text && file) problems.push(`${name} and ${name}${FILE_SUFFIX} are both set; set one of them`);
    else if (text) texts[name] = text;
    else if (file) {
      const content = contentOf(file);
      if (content) texts[name] = content;
      else problems.push(`${name}${FILE_SUFFIX} must name a file with a value that this program can read`);
    }
  }
  return texts;
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(/*turbopackIgnore: true*/ file, "utf8").replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}
