import { readFile } from "node:fs/promises";
import { type Deployment, deploymentSchema } from "@/lib/proofs/deployment";
import { isWellKnownKey, privateKeySchema } from "@/prover/keys";
import { type Environment, SettingsError, type StackSettings } from "./settings";

const KEY_VARIABLES = ["PROVER_SETTLEMENT_KEY", "FACILITATOR_KEY"];
const SECRET_VARIABLES = ["SESSION_SECRET", "USER_ID_SECRET"];
const SECRET_LENGTH = 32;

/**
 * Everything that forbids running in production with this environment and description, each as one
 * sentence. Whatever is listed would let anybody in, or take play money for real.
 */
export function productionProblems(env: Environment, deployment: Deployment | null): string[] {
  const problems: string[] = [];
  if (env.DEV_LOGIN === "1") problems.push("DEV_LOGIN=1 lets anybody sign in as anybody: unset it.");
  for (const name of KEY_VARIABLES) {
    const key = privateKeySchema.safeParse(env[name]);
    if (env[name] !== undefined && !key.success) problems.push(`${name} is not a private key.`);
    else if (key.success && isWellKnownKey(key.data)) {
      problems.push(`${name} is a development key that everybody knows: use one of your own.`);
    }
  }
  for (const name of SECRET_VARIABLES) {
    if ((env[name] ?? "").length < SECRET_LENGTH)
      problems.push(`${name} must be set, with at least ${SECRET_LENGTH} characters.`);
  }
  if (env.RATE_LIMITS === "off") problems.push("RATE_LIMITS=off works in development only: unset it.");
  if (!deployment) {
    problems.push("PARLEY_DEPLOYMENT must name your deployment description (docs/deploy.md).");
    return problems;
  }
  if (deployment.mode !== "production") problems.push('The deployment description says mode "development".');
  if (deployment.srs.kind === "development") {
    problems.push(
      "The deployment uses the development SRS, with which anybody can forge proofs: set CRS_PATH to Ignition data and rebuild keys and verifiers.",
    );
  }
  for (const issuer of deployment.issuers.filter((i) => i.development)) {
    problems.push(
      `The issuer "${issuer.label}" is a development identity provider: it vouches for any address.`,
    );
  }
  return problems;
}

/**
 * The description a production start runs on.
 * @throws SettingsError listing every problem at once.
 */
export async function productionDeployment(settings: StackSettings): Promise<Deployment> {
  const file = settings.env.PARLEY_DEPLOYMENT;
  let deployment: Deployment | null = null;
  if (file) {
    const text = await readFile(file, "utf8").catch(() => {
      throw new SettingsError(`PARLEY_DEPLOYMENT: ${file} cannot be read.`);
    });
    const parsed = deploymentSchema.safeParse(JSON.parse(text));
    if (!parsed.success)
      throw new SettingsError(
        `PARLEY_DEPLOYMENT: ${file}: ${parsed.error.issues.map((i) => `${i.path.join(".")} ${i.message}`).join("; ")}`,
      );
    deployment = parsed.data;
  }
  const problems = productionProblems(settings.env, deployment);
  if (problems.length > 0 || !deployment) {
    throw new SettingsError(
      `Parley does not start in production like this:\n${problems.map((p) => `  - ${p}`).join("\n")}`,
    );
  }
  return deployment;
}
