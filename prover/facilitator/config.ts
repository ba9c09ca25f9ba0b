import { checkDeployment } from "@/lib/proofs/deployment.server";
import { checkProgram } from "@/lib/settings";
import { facilitatorVariables, hasFacilitator } from "@/lib/settings/facilitator";
import { generalVariables } from "@/lib/settings/general";
import { signingKeyOf } from "@/lib/settings/keys";
import { type Environment, SettingsError, type Values } from "@/lib/settings/read";
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
  const isProduction = (env?.PARLEY_MODE ?? deployment?.mode) === "production";
  const signing = env && facilitatorKeyOf(env, isProduction);
  problems.push(...(signing?.problems ?? []));
  if (!hasFacilitator(environment)) {
    problems.push("set FACILITATOR_KEY, or FACILITATOR_SIGNER_URL and FACILITATOR_SIGNER_ADDRESS");
  }
  if (deployment && isProduction) {
    problems.push(...unpricedGas(deployment, "facilitator"));
    problems.push(...moneyProblems(deployment, [signing?.key]));
  }
  return { env, deployment, key: signing?.key, problems };
}

/** Chooses how the facilitator signs settlements. */
export function facilitatorKeyOf(env: Values<typeof facilitatorVariables>, isProduction: boolean) {
  const { FACILITATOR_KEY: key, FACILITATOR_SIGNER_URL: url } = env;
  const { FACILITATOR_SIGNER_ADDRESS: address, FACILITATOR_SIGNER_TOKEN: token } = env;
  return signingKeyOf("FACILITATOR", { key, url, address, token }, isProduction);
}

/** Reads the facilitator's configuration. @throws SettingsError with every problem that `checkFacilitator` finds */
export function facilitatorConfig(environment: Environment) {
  const { env, deployment, key, problems } = checkFacilitator(environment);
  if (!env || !deployment || !key || problems.length > 0) throw new SettingsError(problems);
  return {
    port: env.FACILITATOR_PORT,
    host: env.FACILITATOR_HOST,
    key,
    confirmationMs: env.FACILITATOR_CONFIRMATION_MS,
    gasShare: env.FACILITATOR_GAS_SHARE,
    logLevel: env.LOG_LEVEL,
    deployment,
  };
}
