import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CIRCLE_BATCHING_NAME, CIRCLE_BATCHING_VERSION } from "@circle-fin/x402-batching";
import type { Deployment, PaymentOffer } from "@/lib/proofs/deployment";
import { checkDeployment } from "@/lib/proofs/deployment.server";
import { checkProgram } from "@/lib/settings";
import { generalVariables } from "@/lib/settings/general";
import { type SigningKey, signingKeyOf } from "@/lib/settings/keys";
import { proverVariables, surfaceVariables } from "@/lib/settings/prover";
import { type Environment, isSet, readSettings, SettingsError, type Values } from "@/lib/settings/read";
import type { LimitSettings } from "./http/limits";
import { moneyProblems } from "./offer-problems";

/** Every variable that the prover reads. */
const variables = { ...generalVariables, ...proverVariables };

export type ProverConfig = ReturnType<typeof proverConfig>;

/**
 * Checks the prover's environment and the deployment description.
 * @returns every problem; in production also what would make proofs worthless or lose money
 */
export function checkProver(environment: Environment) {
  const { values: env, problems: wrong } = checkProgram(variables, environment);
  const { deployment, problems: described } = checkDeployment(environment);
  const mode = env?.PARLEY_MODE ?? deployment?.mode;
  const signing = env && settlementKeyOf(env, mode === "production");
  const problems = [
    ...wrong,
    ...described,
    ...(signing?.problems ?? []),
    ...(isSet(environment, "CDP_API_KEY_ID") === isSet(environment, "CDP_API_KEY_SECRET")
      ? []
      : ["CDP_API_KEY_ID and CDP_API_KEY_SECRET come together"]),
    ...(deployment ? settlementProblems(deployment, environment) : []),
    ...(deployment && mode === "production" ? productionProblems(deployment, signing?.key) : []),
  ];
  return { env, deployment, mode, settlementKey: signing?.key, problems };
}

/** Reads the prover's configuration. @throws SettingsError with every problem that `checkProver` finds */
export function proverConfig(environment: Environment) {
  const { env, deployment, mode, settlementKey, problems } = checkProver(environment);
  if (!env || !deployment || !mode || problems.length > 0) throw new SettingsError(problems);
  const { CDP_API_KEY_ID: id, CDP_API_KEY_SECRET: secret } = env;
  return {
    port: env.PROVER_PORT,
    host: env.HOST,
    deployment: { ...deployment, mode },
    databaseUrl: env.PROVER_DATABASE_URL ?? `pglite:${path.join(env.PARLEY_HOME, "prover-db")}`,
    settlementKey,
    secret: env.PROVER_SECRET ? Buffer.from(env.PROVER_SECRET) : keptSecret(env.PARLEY_HOME),
    queueLimit: env.PROVER_QUEUE_LIMIT,
    settlementLimit: env.PROVER_SETTLEMENT_LIMIT,
    syncLimitMs: env.PROVER_SYNC_LIMIT_MS,
    facilitatorTimeoutMs: env.PROVER_FACILITATOR_TIMEOUT_MS,
    reconcileMs: env.PROVER_RECONCILE_MS,
    facilitatorKey: id && secret ? { id, secret } : undefined,
    gasShare: env.PROVER_GAS_SHARE,
    deliverySeconds: env.PROVER_DELIVERY_SECONDS,
    stopGraceMs: env.PROVER_STOP_GRACE_MS,
    corsOrigins: env.PROVER_CORS_ORIGINS,
    logLevel: env.LOG_LEVEL,
    ...surfaceConfig(env, mode),
    /** Scope strings of the served applications, the deployment's own first. */
    scopes: [deployment.scope, ...env.PROVER_SCOPES],
  };
}

/** Chooses how settlements are signed. */
export function settlementKeyOf(env: Values<typeof proverVariables>, isProduction: boolean) {
  const { PROVER_SETTLEMENT_KEY: key, PROVER_SETTLEMENT_SIGNER_URL: url } = env;
  const { PROVER_SETTLEMENT_SIGNER_ADDRESS: address, PROVER_SETTLEMENT_SIGNER_TOKEN: token } = env;
  return signingKeyOf("PROVER_SETTLEMENT", { key, url, address, token }, isProduction);
}

/** Returns what production must not run with. */
function productionProblems(deployment: Deployment, settlementKey: SigningKey | undefined): string[] {
  const problems: string[] = [];
  if (deployment.mode !== "production") problems.push('the deployment description says mode "development"');
  if (deployment.srs.kind !== "ignition") {
    problems.push("the deployment uses the development SRS, under which anybody can forge proofs");
  }
  for (const issuer of deployment.issuers.filter((each) => each.development)) {
    problems.push(`the issuer "${issuer.label}" is for development: it vouches for any address`);
  }
  problems.push(...unpricedGas(deployment, "payee"), ...moneyProblems(deployment, [settlementKey]));
  return problems;
}

/** Returns the chains whose settlements we pay for without knowing their price. */
export function unpricedGas(deployment: Deployment, settlement: PaymentOffer["settlement"]): string[] {
  const paid = new Set(
    deployment.offers.flatMap((offer) => (offer.settlement === settlement ? offer.chainId : [])),
  );
  return deployment.chains
    .filter((chain) => paid.has(chain.id) && chain.nativeTokenUsd === undefined)
    .map((chain) => `chain ${chain.id} has no nativeTokenUsd, which bounds what its settlements may cost`);
}

/** Returns what would keep payments of the offers from being settled. */
function settlementProblems(deployment: Deployment, environment: Environment): string[] {
  const asked = new Set(deployment.offers.map((offer) => offer.settlement));
  const problems: string[] = [];
  const hasKey =
    isSet(environment, "PROVER_SETTLEMENT_KEY") || isSet(environment, "PROVER_SETTLEMENT_SIGNER_URL");
  if (asked.has("payee") && !hasKey) {
    problems.push("PROVER_SETTLEMENT_KEY is not set, and an offer has payee settlement");
  }
  if (asked.has("facilitator") && !deployment.services.facilitatorUrl) {
    problems.push("the deployment names no facilitatorUrl, and an offer has facilitator settlement");
  }
  if (asked.has("gateway") && !deployment.services.gatewayUrl) {
    problems.push("the deployment names no gatewayUrl, and an offer has gateway settlement");
  }
  const known = new Set(deployment.chains.map((chain) => chain.id));
  return [...problems, ...deployment.offers.flatMap((offer) => offerProblems(offer, known))];
}

/** Returns what is wrong with an offer. Payers sign its fields, so they must be consistent. */
function offerProblems(offer: PaymentOffer, chains: ReadonlySet<number>): string[] {
  const { chainId, network, settlement, eip712, verifyingContract } = offer;
  const problems: string[] = [];
  const name = `the offer on ${network} with ${settlement} settlement`;
  if (network !== `eip155:${chainId}`) problems.push(`${name} has chainId ${chainId}`);
  if (!chains.has(chainId)) {
    problems.push(`${name} is on a chain that the deployment does not describe`);
  }
  if (settlement === "gateway") {
    if (!verifyingContract)
      problems.push(`${name} names no verifyingContract (the gateway's wallet contract)`);
    if (eip712.name !== CIRCLE_BATCHING_NAME || eip712.version !== CIRCLE_BATCHING_VERSION) {
      problems.push(`${name} must have eip712 "${CIRCLE_BATCHING_NAME}", "${CIRCLE_BATCHING_VERSION}"`);
    }
  } else if (verifyingContract) {
    problems.push(`${name} names a verifyingContract, which only gateways have`);
  }
  return problems;
}

/** Returns the installation's secret, which the first start creates, readable by its owner only. */
function keptSecret(home: string): Uint8Array {
  const file = path.resolve(home, "prover-secret");
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    // "wx" fails if the file exists: of two first starts, one creates it and both read it.
    writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return Buffer.from(readFileSync(file, "utf8").trim(), "hex");
}

/** Generous for people and for pages that poll; a limit for abuse. */
const productionLimits: LimitSettings = { challenges: 60, attempts: 30, requests: 600 };
/** Tests and many tabs on one machine share an address. */
const developmentLimits: LimitSettings = { challenges: 6_000, attempts: 3_000, requests: 60_000 };

/** Reads `surfaceVariables`. */
function surfaceConfig(env: Values<typeof surfaceVariables>, mode: Deployment["mode"]) {
  const defaults = mode === "production" ? productionLimits : developmentLimits;
  return {
    bb: {
      processes: env.PROVER_BB_PROCESSES,
      memoryMb: env.PROVER_BB_MEMORY_MB,
      timeoutMs: env.PROVER_BB_TIMEOUT_MS,
    },
    trustedProxies: env.PROVER_TRUSTED_PROXIES,
    limits: {
      challenges: env.PROVER_CHALLENGES_PER_MINUTE ?? defaults.challenges,
      attempts: env.PROVER_ATTEMPTS_PER_10_MINUTES ?? defaults.attempts,
      requests: env.PROVER_REQUESTS_PER_MINUTE ?? defaults.requests,
    },
    /** Where /metrics is served. */
    metrics:
      env.PROVER_METRICS_PORT === undefined
        ? undefined
        : { port: env.PROVER_METRICS_PORT, host: env.PROVER_METRICS_HOST },
    /** As in the environment; `readEncryptionKey` parses it. */
    encryptionKey: env.PROVER_ENCRYPTION_KEY,
  };
}

/** Returns the settings of a prover whose environment has none. */
export function defaultSurface(mode: Deployment["mode"]) {
  return surfaceConfig(readSettings(surfaceVariables, {}), mode);
}
