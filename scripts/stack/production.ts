import type { Deployment } from "@/lib/proofs/deployment";
import { type CheckedDeployment, checkDeployment } from "@/lib/proofs/deployment.server";
import { checkInstallation } from "@/lib/runtime/config";
import { checkProgram } from "@/lib/settings";
import { appVariables } from "@/lib/settings/app";
import { facilitatorVariables, hasFacilitator } from "@/lib/settings/facilitator";
import { generalVariables } from "@/lib/settings/general";
import { proverVariables } from "@/lib/settings/prover";
import { checkSettings, type Environment, SettingsError } from "@/lib/settings/read";
import { settlementKeyOf } from "@/prover/config";
import { facilitatorKeyOf } from "@/prover/facilitator/config";

/** Returns every problem with the variables of the programs, each once. */
export function programProblems(env: Environment): readonly string[] {
  const shape = { ...generalVariables, ...appVariables, ...proverVariables };
  return [
    ...checkProgram(shape, env).problems,
    // Without its key the operator runs no facilitator.
    ...(hasFacilitator(env) ? checkSettings(facilitatorVariables, env).problems : []),
  ];
}

/**
 * Checks all that a production start needs. Refuses every setting that would let anyone in or accept play money, before
 * anything starts. App and prover check their own part again.
 */
export function checkProduction(env: Environment): CheckedDeployment {
  const described = env.PARLEY_DEPLOYMENT
    ? checkDeployment(env)
    : { problems: ["PARLEY_DEPLOYMENT must name your deployment description (docs/deploy.md)"] };
  const settling = checkSettings(proverVariables, env).values;
  const own = checkSettings(facilitatorVariables, env).values;
  const all = [
    ...checkInstallation(env, described).problems,
    ...programProblems(env),
    ...(settling ? settlementKeyOf(settling, true).problems : []),
    ...(own ? facilitatorKeyOf(own, true).problems : []),
  ];
  return { deployment: described.deployment, problems: [...new Set(all)] };
}

/** Returns the deployment description of a production start. @throws SettingsError that lists every problem at once */
export function productionDeployment(env: Environment): Deployment {
  const { deployment, problems } = checkProduction(env);
  if (!deployment || problems.length > 0) {
    throw new SettingsError(problems, "Parley cannot start in production with these settings:");
  }
  return deployment;
}
