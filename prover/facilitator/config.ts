import { z } from "zod";
import { isWellKnownKey, privateKeySchema } from "@/lib/chain/keys";
import { loadDeployment } from "@/lib/proofs/deployment.server";
import { gasShareSchema, unpricedGas } from "../config";
import { type Environment, readEnvironment, StartRefusedError } from "../env";
import { moneyProblems } from "../offer-problems";

const environmentSchema = z.object({
  FACILITATOR_PORT: z.coerce.number().int().min(0).max(65535).default(3002),
  FACILITATOR_HOST: z.string().min(1).default("127.0.0.1"),
  /** Pays the gas of settlements; needs no tokens. */
  FACILITATOR_KEY: privateKeySchema,
  /** How long /settle waits for a receipt before it answers "pending". */
  FACILITATOR_CONFIRMATION_MS: z.coerce.number().int().positive().default(45_000),
  /** Share of the price that a settlement may cost; needs the chain's `nativeTokenUsd`. */
  FACILITATOR_GAS_SHARE: gasShareSchema,
  PARLEY_MODE: z.enum(["development", "production"]).optional(),
});

export type FacilitatorConfig = ReturnType<typeof facilitatorConfig>;

/** @throws StartRefusedError for a wrong variable, or in production for a published key */
export function facilitatorConfig(environment: Environment) {
  const env = readEnvironment(environmentSchema, environment);
  const deployment = loadDeployment();
  const mode = env.PARLEY_MODE ?? deployment.mode;
  const problems =
    mode === "production"
      ? [...unpricedGas(deployment, "facilitator"), ...moneyProblems(deployment, [env.FACILITATOR_KEY])]
      : [];
  if (mode === "production" && isWellKnownKey(env.FACILITATOR_KEY)) {
    problems.push("FACILITATOR_KEY is a key that local chains publish");
  }
  if (problems.length > 0) throw new StartRefusedError(`cannot start in production: ${problems.join("; ")}`);
  return {
    port: env.FACILITATOR_PORT,
    host: env.FACILITATOR_HOST,
    key: env.FACILITATOR_KEY,
    confirmationMs: env.FACILITATOR_CONFIRMATION_MS,
    gasShare: env.FACILITATOR_GAS_SHARE,
    deployment,
  };
}
