import { checkDeployment } from "@/lib/proofs/deployment.server";
import { checkProgram } from "@/lib/settings";
import { facilitatorVariables } from "@/lib/settings/facilitator";
import { generalVariables } from "@/lib/settings/general";
import { isWellKnownKey } from "@/lib/settings/keys";
import { type Environment, SettingsError } from "@/lib/settings/read";
import { unpricedGas } from "../config";
import { moneyProblems } from "../offer-problems";

export type FacilitatorConfig = ReturnType<typeof facilitatorConfig>;

/** @returns every problem; in production also a published key and what would lose money */
export function checkFacilitator(environment: Environment) {
  const { PARLEY_MODE, LOG_LEVEL, OTEL_EXPORTER_OTLP_ENDPOINT } = generalVariables;
  const { values: env, problems: wrong } = checkProgram(
    { ...facilitatorVariables, PARLEY_MODE, LOG_LEVEL, OTEL_EXPORTER_OTLP_ENDPOINT },
    environment,
  );
  const { deployment, problems: described } = checkDeployment(environment);
  const problems = [...wrong, ...described];
  if (deployment && (env?.PARLEY_MODE ?? deployment.mode) === "production") {
    problems.push(...unpricedGas(deployment, "facilitator"));
    problems.push(...moneyProblems(deployment, [env?.FACILITATOR_KEY]));
    if (env && isWellKnownKey(env.FACILITATOR_KEY)) {
      problems.push("FACILITATOR_KEY is a key that local chains publish");
    }
  }
  return { env, deployment, problems };
}

/** Reads the facilitator's configuration. @throws SettingsError with every problem that `checkFacilitator` finds */
export function facilitatorConfig(environment: Environment) {
  const { env, deployment, problems } = checkFacilitator(environment);
  if (!env || !deployment || problems.length > 0) throw new SettingsError(problems);
  return {
    port: env.FACILITATOR_PORT,
    host: env.FACILITATOR_HOST,
    key: env.FACILITATOR_KEY,
    confirmationMs: env.FACILITATOR_CONFIRMATION_MS,
    gasShare: env.FACILITATOR_GAS_SHARE,
    logLevel: env.LOG_LEVEL,
    deployment,
  };
}
