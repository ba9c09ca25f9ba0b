import { isWellKnownKey, privateKeySchema } from "@/lib/chain/keys";
import type { Deployment } from "@/lib/proofs/deployment";
import { ConfigError, type Env, minSecretBytes } from "./config";

/**
 * Refuses combinations that would protect nobody. In production: development sign-in, development setup data
 * (its proofs can be forged by anyone), development identity providers (anybody gets any email from them), missing,
 * short or equal secrets. In any mode: a description written for the other one.
 * @throws ConfigError that lists every problem.
 */
export function checkMode(env: Env, deployment: Deployment): void {
  const problems = modeProblems(env, deployment);
  if (problems.length > 0) {
    throw new ConfigError(`this installation must not start:\n${problems.map((p) => `- ${p}`).join("\n")}`);
  }
}

function modeProblems(env: Env, deployment: Deployment): string[] {
  const mode = env.PARLEY_MODE ?? "development";
  const problems: string[] = [];
  if (deployment.mode !== mode) {
    problems.push(`PARLEY_MODE is ${mode}, but the deployment description is for ${deployment.mode}`);
  }
  if (mode !== "production") return problems;
  if (env.DEV_LOGIN !== undefined && env.DEV_LOGIN !== "" && env.DEV_LOGIN !== "0") {
    problems.push("DEV_LOGIN lets everybody in as anybody; unset it");
  }
  if (env.RATE_LIMITS === "off") problems.push("RATE_LIMITS=off is for load tests in development; unset it");
  if (deployment.srs.kind === "development") {
    problems.push("the setup data (srs) is for development: anyone can forge its proofs");
  }
  for (const issuer of deployment.issuers.filter((candidate) => candidate.development)) {
    problems.push(`issuer ${issuer.issuer} is for development: anyone gets any address from it`);
  }
  for (const name of ["appUrl", "proverUrl"] as const) {
    if (!deployment.services[name].startsWith("https:")) {
      problems.push(`services.${name} must be https: sessions and identity tokens travel there`);
    }
  }
  if (!env.DATABASE_URL) {
    problems.push("DATABASE_URL must name the database: without it a new, empty one would be made");
  }
  for (const name of ["SESSION_SECRET", "USER_ID_SECRET"] as const) {
    if (new TextEncoder().encode(env[name] ?? "").length < minSecretBytes) {
      problems.push(`${name} must be at least ${minSecretBytes} random bytes`);
    }
  }
  if (env.SESSION_SECRET && env.SESSION_SECRET === env.USER_ID_SECRET) {
    problems.push("SESSION_SECRET and USER_ID_SECRET must differ");
  }
  const recordKey = privateKeySchema.safeParse(env.RECORD_KEY);
  if (recordKey.success && isWellKnownKey(recordKey.data)) {
    problems.push("RECORD_KEY is a development key that everybody knows; use one of your own");
  }
  return problems;
}
