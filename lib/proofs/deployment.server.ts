import { readFileSync } from "node:fs";
import path from "node:path";
import { type Deployment, deploymentSchema } from "./deployment";

/** Returns the path of the deployment description: PARLEY_DEPLOYMENT, or `deployment.json` in PARLEY_HOME. */
export function deploymentPath(): string {
  const { PARLEY_DEPLOYMENT, PARLEY_HOME = ".parley" } = process.env;
  return path.resolve(
    /*turbopackIgnore: true*/ PARLEY_DEPLOYMENT ??
      path.join(/*turbopackIgnore: true*/ PARLEY_HOME, "deployment.json"),
  );
}

let cached: { file: string; deployment: Deployment } | undefined;

/**
 * Reads and validates the deployment description once per process.
 * @throws Error naming the file and each invalid field.
 */
export function loadDeployment(): Deployment {
  const file = deploymentPath();
  if (cached?.file === file) return cached.deployment;
  const parsed = deploymentSchema.safeParse(JSON.parse(readFileSync(/*turbopackIgnore: true*/ file, "utf8")));
  if (!parsed.success) {
    const fields = parsed.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`).join("; ");
    throw new Error(`${file} is not a valid deployment description: ${fields}`);
  }
  cached = { file, deployment: parsed.data };
  return parsed.data;
}
