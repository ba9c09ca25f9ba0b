import { z } from "zod";
import type { LimitSettings } from "./http/limits";

const count = z.coerce.number().int().positive();
const port = z.coerce.number().int().min(0).max(65535);

/** Variables of what proves, what is limited, what is measured and how inputs arrive; part of the environment's schema. */
export const surfaceVariables = {
  /** bb processes; default one for every two cores. */
  PROVER_BB_PROCESSES: z.coerce.number().int().min(1).max(256).optional(),
  /** Megabytes each bb may take; default 1024 and 128 more for each of its threads. */
  PROVER_BB_MEMORY_MB: z.coerce.number().int().min(256).optional(),
  /** Milliseconds one proof may take before its bb is killed. */
  PROVER_BB_TIMEOUT_MS: count.default(120_000),
  /** Proxies of the operator in front of the prover, each of which appends to X-Forwarded-For. */
  PROVER_TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  PROVER_CHALLENGES_PER_MINUTE: count.optional(),
  PROVER_ATTEMPTS_PER_10_MINUTES: count.optional(),
  PROVER_REQUESTS_PER_MINUTE: count.optional(),
  /** Where /metrics is served; nowhere unless set. */
  PROVER_METRICS_PORT: port.optional(),
  PROVER_METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  /** X25519 private key: `npm run prover:key` makes one. With it inputs are taken encrypted only. */
  PROVER_ENCRYPTION_KEY: z.string().min(1).optional(),
};

export interface SurfaceConfig {
  bb: { processes: number | undefined; memoryMb: number | undefined; timeoutMs: number };
  trustedProxies: number;
  limits: LimitSettings;
  /** Where /metrics is served. */
  metrics: { port: number; host: string } | undefined;
  /** As written in the environment; `createInputOpener` reads it. */
  encryptionKey: string | undefined;
}

/** Generous to people and to a page that asks often, in the way of whoever only makes work. */
const productionLimits: LimitSettings = { challenges: 60, attempts: 30, requests: 600 };
/** Tests and many tabs on one machine are one address. */
const developmentLimits: LimitSettings = { challenges: 6_000, attempts: 3_000, requests: 60_000 };

/** The settings that `surfaceVariables` make. */
export function surfaceConfig(
  env: z.output<z.ZodObject<typeof surfaceVariables>>,
  mode: "development" | "production",
): SurfaceConfig {
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
    metrics:
      env.PROVER_METRICS_PORT === undefined
        ? undefined
        : { port: env.PROVER_METRICS_PORT, host: env.PROVER_METRICS_HOST },
    encryptionKey: env.PROVER_ENCRYPTION_KEY,
  };
}

/** The settings of a prover whose environment names none. */
export function defaultSurface(mode: "development" | "production"): SurfaceConfig {
  return surfaceConfig(z.object(surfaceVariables).parse({}), mode);
}
