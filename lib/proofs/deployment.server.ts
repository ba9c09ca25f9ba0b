import { readFileSync } from "node:fs";
import path from "node:path";
import { generalVariables } from "@/lib/settings/general";
import { type Environment, effectiveSettings, SettingsError } from "@/lib/settings/read";
import { type Deployment, deploymentSchema } from "./deployment";

/** A description, or why it cannot be used. */
export interface CheckedDeployment {
  readonly deployment?: Deployment;
  readonly problems: readonly string[];
}

/** Texts that the examples in docs/ leave to the operator begin with this; the rest says what belongs there. */
const PLACEHOLDER = "REPLACE: ";

/** Returns PARLEY_DEPLOYMENT: a path, or the description itself as JSON. */
function source(environment: Environment): string {
  const { PARLEY_DEPLOYMENT, PARLEY_HOME } = effectiveSettings(generalVariables, environment);
  return PARLEY_DEPLOYMENT ?? path.join(/*turbopackIgnore: true*/ PARLEY_HOME, "deployment.json");
}

function isInline(text: string): boolean {
  return text.trimStart().startsWith("{");
}

/** Returns the path of the deployment description; null if PARLEY_DEPLOYMENT is the description itself. */
export function deploymentPath(): string | null {
  const text = source(process.env);
  return isInline(text) ? null : path.resolve(/*turbopackIgnore: true*/ text);
}

let cached: { source: string; deployment: Deployment } | undefined;

/** Reads and validates the deployment description, once per process if it is valid. */
export function checkDeployment(environment: Environment = process.env): CheckedDeployment {
  const text = source(environment);
  if (cached?.source === text) return { deployment: cached.deployment, problems: [] };
  const checked = isInline(text)
    ? parseDeployment(text, "PARLEY_DEPLOYMENT")
    : readDeployment(path.resolve(/*turbopackIgnore: true*/ text));
  if (checked.deployment) cached = { source: text, deployment: checked.deployment };
  return checked;
}

/** Returns the valid deployment description. @throws SettingsError that names its file and each invalid field */
export function loadDeployment(): Deployment {
  const { deployment, problems } = checkDeployment();
  if (!deployment) throw new SettingsError(problems);
  return deployment;
}

function readDeployment(file: string): CheckedDeployment {
  try {
    return parseDeployment(readFileSync(/*turbopackIgnore: true*/ file, "utf8"), file);
  } catch {
    return { problems: [`the deployment description ${file} cannot be read (PARLEY_DEPLOYMENT)`] };
  }
}

/** Validates the text of a description. @param name of where it is from, for the problems */
export function parseDeployment(text: string, name: string): CheckedDeployment {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problems: [`${name} is not JSON`] };
  }
  const left = placeholders(json);
  const parsed = deploymentSchema.safeParse(json);
  const problems = new Map([...left].map(([field, wanted]) => [field, `is a placeholder for ${wanted}`]));
  for (const issue of parsed.error?.issues ?? []) {
    const field = issue.path.join(".");
    if (!problems.has(field)) problems.set(field, issue.message);
  }
  if (parsed.success && problems.size === 0) return { deployment: parsed.data, problems: [] };
  return { problems: [...problems].map(([field, problem]) => `${name}: ${field}: ${problem}`) };
}

/** Returns the placeholders in a value, by field. */
function placeholders(value: unknown, field: readonly string[] = []): ReadonlyMap<string, string> {
  if (typeof value === "string") {
    if (!value.startsWith(PLACEHOLDER)) return new Map();
    return new Map([[field.join("."), value.slice(PLACEHOLDER.length)]]);
  }
  if (typeof value !== "object" || value === null) return new Map();
  return new Map(Object.entries(value).flatMap(([key, child]) => [...placeholders(child, [...field, key])]));
}
