import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CIRCLE_BATCHING_NAME, CIRCLE_BATCHING_VERSION } from "@circle-fin/x402-batching";
import type { Hex } from "viem";
import { z } from "zod";
import { isWellKnownKey, privateKeySchema } from "@/lib/chain/keys";
import type { Deployment, PaymentOffer } from "@/lib/proofs/deployment";
import { loadDeployment } from "@/lib/proofs/deployment.server";
import { type Environment, readEnvironment, StartRefusedError } from "./env";
import type { LimitSettings } from "./http/limits";
import { moneyProblems } from "./offer-problems";

/** Share of a price. */
export const gasShareSchema = z.coerce.number().positive().max(1).default(0.5);
const positive = z.coerce.number().int().positive();
const port = z.coerce.number().int().min(0).max(65535);

/** Variables with defaults for tests (`defaultSurface`): proving, limits, metrics and encrypted inputs. */
const surfaceVariables = {
  /** bb processes; default one per two cores. */
  PROVER_BB_PROCESSES: z.coerce.number().int().min(1).max(256).optional(),
  /** Megabytes per bb; default 1024 plus 128 per thread. */
  PROVER_BB_MEMORY_MB: z.coerce.number().int().min(256).optional(),
  /** Milliseconds after which a proof's bb is killed. */
  PROVER_BB_TIMEOUT_MS: positive.default(120_000),
  /** The operator's proxies in front of the prover; each appends to X-Forwarded-For. */
  PROVER_TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  PROVER_CHALLENGES_PER_MINUTE: positive.optional(),
  PROVER_ATTEMPTS_PER_10_MINUTES: positive.optional(),
  PROVER_REQUESTS_PER_MINUTE: positive.optional(),
  /** Port of /metrics, which is off unless set. */
  PROVER_METRICS_PORT: port.optional(),
  PROVER_METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  /** X25519 private key from `npm run prover:key`. With it, the prover accepts encrypted inputs only. */
  PROVER_ENCRYPTION_KEY: z.string().min(1).optional(),
};

const environmentSchema = z.object({
  PROVER_PORT: port.default(3001),
  HOST: z.string().min(1).default("127.0.0.1"),
  PARLEY_MODE: z.enum(["development", "production"]).optional(),
  /** Folder of the installation's state. */
  PARLEY_HOME: z.string().min(1).default(".parley"),
  PROVER_DATABASE_URL: z.string().min(1).optional(),
  /** Signs settlement transactions of offers with payee settlement; needs gas, no tokens. */
  PROVER_SETTLEMENT_KEY: privateKeySchema.optional(),
  /** Key of the input hashes; default a file in PARLEY_HOME, created once. */
  PROVER_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  /** Paid proofs, running and waiting, at which the prover takes no new work. */
  PROVER_QUEUE_LIMIT: z.coerce.number().int().min(1).max(1000).default(20),
  /** Payments settled at once. */
  PROVER_SETTLEMENT_LIMIT: z.coerce.number().int().min(1).max(10_000).default(200),
  PROVER_SYNC_LIMIT_MS: positive.default(50_000),
  PROVER_FACILITATOR_TIMEOUT_MS: positive.default(45_000),
  /** How long the prover looks for an unclear settlement before it asks the client to come back. */
  PROVER_RECONCILE_MS: positive.default(20_000),
  /** API key for a facilitator that requires one: each request carries a token signed with it. */
  CDP_API_KEY_ID: z.string().min(1).optional(),
  CDP_API_KEY_SECRET: z.string().min(1).optional(),
  /** Share of the price that a settlement with our own key may cost; needs the chain's `nativeTokenUsd`. */
  PROVER_GAS_SHARE: gasShareSchema,
  PROVER_STOP_GRACE_MS: positive.default(10_000),
  /** Browser origins, comma-separated; `*` for all. */
  PROVER_CORS_ORIGINS: z.string().default("*"),
  /** More scope strings, comma-separated, for country proofs whose client sends only the scope's hash. */
  PROVER_SCOPES: z.string().default(""),
  ...surfaceVariables,
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

export type ProverConfig = ReturnType<typeof proverConfig>;

/**
 * Reads the prover's configuration from the environment and the deployment description.
 * @throws StartRefusedError naming what is wrong; in production also what would make proofs worthless or lose money
 */
export function proverConfig(environment: Environment) {
  const env = readEnvironment(environmentSchema, environment);
  const deployment = loadDeployment();
  const mode = env.PARLEY_MODE ?? deployment.mode;
  const { CDP_API_KEY_ID: id, CDP_API_KEY_SECRET: secret } = env;
  const problems = [
    ...(Boolean(id) === Boolean(secret) ? [] : ["CDP_API_KEY_ID and CDP_API_KEY_SECRET come together"]),
    ...(mode === "production" ? productionProblems(deployment, env.PROVER_SETTLEMENT_KEY) : []),
    ...settlementProblems(deployment, env.PROVER_SETTLEMENT_KEY),
  ];
  if (problems.length > 0) throw new StartRefusedError(`cannot start: ${problems.join("; ")}`);
  return {
    port: env.PROVER_PORT,
    host: env.HOST,
    deployment: { ...deployment, mode },
    databaseUrl: env.PROVER_DATABASE_URL ?? `pglite:${path.join(env.PARLEY_HOME, "prover-db")}`,
    settlementKey: env.PROVER_SETTLEMENT_KEY,
    secret: env.PROVER_SECRET ? Buffer.from(env.PROVER_SECRET) : keptSecret(env.PARLEY_HOME),
    queueLimit: env.PROVER_QUEUE_LIMIT,
    settlementLimit: env.PROVER_SETTLEMENT_LIMIT,
    syncLimitMs: env.PROVER_SYNC_LIMIT_MS,
    facilitatorTimeoutMs: env.PROVER_FACILITATOR_TIMEOUT_MS,
    reconcileMs: env.PROVER_RECONCILE_MS,
    facilitatorKey: id && secret ? { id, secret } : undefined,
    gasShare: env.PROVER_GAS_SHARE,
    stopGraceMs: env.PROVER_STOP_GRACE_MS,
    corsOrigins: env.PROVER_CORS_ORIGINS.split(",").map((origin) => origin.trim()),
    logLevel: env.LOG_LEVEL,
    ...surfaceConfig(env, mode),
    /** Scope strings of the served applications, the deployment's own first. */
    scopes: [deployment.scope, ...env.PROVER_SCOPES.split(",").flatMap((scope) => scope.trim() || [])],
  };
}

/** Returns what production must not run with. */
function productionProblems(deployment: Deployment, settlementKey: Hex | undefined): string[] {
  const problems: string[] = [];
  if (deployment.mode !== "production") problems.push('the deployment description says mode "development"');
  if (deployment.srs.kind !== "ignition") {
    problems.push("the deployment uses the development SRS, under which anybody can forge proofs");
  }
  for (const issuer of deployment.issuers.filter((each) => each.development)) {
    problems.push(`the issuer "${issuer.label}" is for development: it vouches for any address`);
  }
  problems.push(...unpricedGas(deployment, "payee"), ...moneyProblems(deployment, [settlementKey]));
  if (settlementKey && isWellKnownKey(settlementKey)) {
    problems.push("PROVER_SETTLEMENT_KEY is a key that local chains publish");
  }
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
function settlementProblems(deployment: Deployment, settlementKey: Hex | undefined): string[] {
  const asked = new Set(deployment.offers.map((offer) => offer.settlement));
  const problems: string[] = [];
  if (asked.has("payee") && !settlementKey) {
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
function surfaceConfig(env: z.output<z.ZodObject<typeof surfaceVariables>>, mode: Deployment["mode"]) {
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
  return surfaceConfig(z.object(surfaceVariables).parse({}), mode);
}
