import { readFile } from "node:fs/promises";
import { isWellKnownKey, privateKeySchema } from "@/lib/chain/keys";
import { parseJson } from "@/lib/json";
import { type Deployment, deploymentSchema } from "@/lib/proofs/deployment";
import { ConfigError, checkMode } from "@/lib/runtime/config";
import { type Environment, SettingsError, type StackSettings } from "./settings";

const KEY_VARIABLES = ["PROVER_SETTLEMENT_KEY", "FACILITATOR_KEY", "RECORD_KEY"];

/**
 * Returns the deployment description of a production start. Refuses every setting that would let anyone in or accept play
 * money, before anything starts. App and prover check their own part again.
 * @throws SettingsError listing every problem at once
 */
export async function productionDeployment(settings: StackSettings): Promise<Deployment> {
  const file = settings.env.PARLEY_DEPLOYMENT;
  const problems = keyProblems(settings.env);
  if (settings.env.DEV_LOGIN === "1" && !file)
    problems.push("DEV_LOGIN lets anyone sign in as anyone; unset it");
  if (!file) {
    throw refusal([...problems, "PARLEY_DEPLOYMENT must name your deployment description (docs/deploy.md)"]);
  }
  const deployment = await readDeployment(file);
  try {
    checkMode(settings.env, deployment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw refusal([...problems, ...error.message.split("\n- ").slice(1)]);
  }
  if (problems.length > 0) throw refusal(problems);
  return deployment;
}

function keyProblems(env: Environment): string[] {
  return KEY_VARIABLES.flatMap((name) => {
    if (env[name] === undefined) return [];
    const key = privateKeySchema.safeParse(env[name]);
    if (!key.success) return [`${name} is not a private key`];
    return isWellKnownKey(key.data) ? [`${name} is a public development key; use your own`] : [];
  });
}

async function readDeployment(file: string): Promise<Deployment> {
  const text = await readFile(file, "utf8").catch(() => {
    throw refusal([`PARLEY_DEPLOYMENT: ${file} cannot be read`]);
  });
  const json = parseJson(text);
  if (json === undefined) throw refusal([`PARLEY_DEPLOYMENT: ${file} is not JSON`]);
  const parsed = deploymentSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw refusal(parsed.error.issues.map((i) => `PARLEY_DEPLOYMENT: ${i.path.join(".")}: ${i.message}`));
}

function refusal(problems: readonly string[]): SettingsError {
  return new SettingsError(
    `Parley cannot start in production with these settings:\n${problems.map((p) => `  - ${p}`).join("\n")}`,
  );
}
