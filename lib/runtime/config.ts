import { readFileSync } from "node:fs";
import path from "node:path";
import type { Hex } from "viem";
import { z } from "zod";
import { isWellKnownKey, privateKeySchema } from "@/lib/chain/keys";
import type { Deployment } from "@/lib/proofs/deployment";
import { type PushKeys, readPushKeys } from "@/lib/push/settings";
import { parseStorageUrl } from "@/lib/storage/settings";

/** An invalid setting, which prevents the start. The message says how to fix it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export interface Config {
  readonly mode: "development" | "production";
  readonly databaseUrl: string;
  /** `embedded`, `redis://…`, `rediss://…` or `upstash+https://…`. */
  readonly cacheUrl: string;
  /** `disk`, or a bucket (lib/storage/settings.ts). */
  readonly storageUrl: string;
  /** Absolute path of the uploads folder, for `disk`. */
  readonly uploadsFolder: string;
  /** Signs session tokens. */
  readonly sessionSecret: Uint8Array;
  /** Key of the hashes that identify users; changing it makes every user a stranger. */
  readonly userIdSecret: Uint8Array;
  /** Key of the account that records posts on-chain and pays for it. */
  readonly recordKey: Hex | undefined;
  readonly adminUserIds: ReadonlySet<string>;
  readonly pushKeys: PushKeys | null;
  /** Sign-in without a proof; development only. */
  readonly devLogin: boolean;
  readonly rateLimits: boolean;
  /** Proving in browsers: with our points, else the ceremony's (`any`); only with ours (`own`); not at all (`off`). */
  readonly browserProving: BrowserProvingSetting;
  /** Number of trusted proxies in front of us; 0 when clients connect directly. */
  readonly trustedProxies: number;
}

const browserProvingSettings = ["any", "own", "off"] as const;
export type BrowserProvingSetting = (typeof browserProvingSettings)[number];

export type Env = Readonly<Record<string, string | undefined>>;

const secretsFileSchema = z.object({
  SESSION_SECRET: z.string(),
  USER_ID_SECRET: z.string(),
  VAPID_PUBLIC_KEY: z.string().optional(),
  VAPID_PRIVATE_KEY: z.string().optional(),
  VAPID_SUBJECT: z.string().optional(),
});
type Secrets = z.infer<typeof secretsFileSchema>;

/** Minimum length of a secret in bytes: the size of the HMAC-SHA256 output. */
const MIN_SECRET_BYTES = 32;

/**
 * Reads the settings of this process (docs/deploy.md lists them).
 * @throws ConfigError naming the variable and what it must be
 */
export function readConfig(
  env: Env,
  readSecretsFile: () => unknown = () => readDevelopmentSecrets(env),
): Config {
  const mode = env.PARLEY_MODE ?? "development";
  if (mode !== "development" && mode !== "production") {
    throw new ConfigError("PARLEY_MODE must be development or production");
  }
  const secrets = secretsOf(env, mode, readSecretsFile);
  const proxies = env.TRUST_PROXY ?? "0";
  if (!/^\d$/.test(proxies)) {
    throw new ConfigError("TRUST_PROXY must be the number of proxies in front of the server, 0 to 9");
  }
  const home = path.resolve(/*turbopackIgnore: true*/ env.PARLEY_HOME || ".parley");
  return {
    mode,
    databaseUrl: env.DATABASE_URL || `pglite:${path.join(/*turbopackIgnore: true*/ home, "app-db")}`,
    cacheUrl: env.CACHE_URL || "embedded",
    storageUrl: storageUrl(env.STORAGE_URL || "disk"),
    uploadsFolder: path.join(/*turbopackIgnore: true*/ home, "uploads"),
    sessionSecret: secretBytes("SESSION_SECRET", secrets.SESSION_SECRET),
    userIdSecret: secretBytes("USER_ID_SECRET", secrets.USER_ID_SECRET),
    recordKey: recordKey(env.RECORD_KEY),
    pushKeys: pushKeys(secrets),
    adminUserIds: new Set((env.ADMIN_USER_IDS ?? "").split(/[\s,]+/).filter(Boolean)),
    devLogin: mode === "development" && env.DEV_LOGIN === "1",
    // Only a development server can disable rate limits.
    browserProving: browserProving(env.BROWSER_PROVING || "any"),
    rateLimits: !(mode === "development" && env.RATE_LIMITS === "off"),
    trustedProxies: Number(proxies),
  };
}

function recordKey(text: string | undefined): Hex | undefined {
  if (!text) return undefined;
  const key = privateKeySchema.safeParse(text);
  if (!key.success) throw new ConfigError("RECORD_KEY must be a private key of 32 bytes in 0x-prefixed hex");
  return key.data;
}

function browserProving(text: string): BrowserProvingSetting {
  const setting = browserProvingSettings.find((one) => one === text);
  if (!setting) throw new ConfigError(`BROWSER_PROVING must be one of ${browserProvingSettings.join(", ")}`);
  return setting;
}

function storageUrl(text: string): string {
  try {
    parseStorageUrl(text);
  } catch (error) {
    throw new ConfigError(`STORAGE_URL ${error instanceof Error ? error.message : "cannot be read"}`);
  }
  return text;
}

function secretsOf(env: Env, mode: string, readSecretsFile: () => unknown): Secrets {
  const { SESSION_SECRET, USER_ID_SECRET, VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT } = env;
  const vapid = { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT };
  if (SESSION_SECRET && USER_ID_SECRET) return { SESSION_SECRET, USER_ID_SECRET, ...vapid };
  const missing = SESSION_SECRET ? "USER_ID_SECRET" : "SESSION_SECRET";
  const advice = `set ${missing} to at least ${MIN_SECRET_BYTES} random bytes, e.g. from: openssl rand -hex 32`;
  if (mode === "production") throw new ConfigError(advice);
  const file = secretsFileSchema.safeParse(readSecretsFile());
  if (!file.success) {
    throw new ConfigError(`no secrets in .parley/secrets.json (npm start writes it); or ${advice}`);
  }
  const namesVapid = Object.values(vapid).some(Boolean);
  return {
    ...file.data,
    ...(namesVapid && vapid),
    SESSION_SECRET: SESSION_SECRET || file.data.SESSION_SECRET,
    USER_ID_SECRET: USER_ID_SECRET || file.data.USER_ID_SECRET,
  };
}

/** Reads all three settings or none of them. */
function pushKeys(secrets: Secrets): PushKeys | null {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = secrets;
  if (!publicKey && !privateKey && !subject) return null;
  if (!publicKey || !privateKey || !subject) {
    throw new ConfigError("set VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT, or none of them");
  }
  try {
    return readPushKeys({ publicKey, privateKey, subject });
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : "the VAPID keys cannot be read");
  }
}

function secretBytes(name: string, value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  if (bytes.length < MIN_SECRET_BYTES)
    throw new ConfigError(`${name} must be at least ${MIN_SECRET_BYTES} bytes`);
  return bytes;
}

function readDevelopmentSecrets(env: Env): unknown {
  const file = path.join(/*turbopackIgnore: true*/ env.PARLEY_HOME || ".parley", "secrets.json");
  try {
    return JSON.parse(readFileSync(/*turbopackIgnore: true*/ file, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Refuses settings that would protect no one. In production: development sign-in, development setup data (anyone can
 * forge its proofs), development identity providers (anyone gets any email address from them), and missing, short or
 * equal secrets. In any mode: a deployment description for the other one.
 * @throws ConfigError that lists every problem
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
  if (env.DEV_LOGIN && env.DEV_LOGIN !== "0") {
    problems.push("DEV_LOGIN lets anyone sign in as anyone; unset it");
  }
  if (env.RATE_LIMITS === "off") problems.push("RATE_LIMITS=off is for load tests in development; unset it");
  if (deployment.srs.kind === "development") {
    problems.push("the setup data (srs) is for development: anyone can forge its proofs");
  }
  for (const issuer of deployment.issuers.filter((candidate) => candidate.development)) {
    problems.push(`issuer ${issuer.issuer} is for development: anyone can get any email address from it`);
  }
  for (const name of ["appUrl", "proverUrl"] as const) {
    if (!deployment.services[name].startsWith("https:")) {
      problems.push(`services.${name} must be https: sessions and identity tokens travel there`);
    }
  }
  if (!env.DATABASE_URL) {
    problems.push("DATABASE_URL must name the database: otherwise the app would create a new, empty one");
  }
  for (const name of ["SESSION_SECRET", "USER_ID_SECRET"] as const) {
    if (new TextEncoder().encode(env[name] ?? "").length < MIN_SECRET_BYTES) {
      problems.push(`${name} must be at least ${MIN_SECRET_BYTES} random bytes`);
    }
  }
  if (env.SESSION_SECRET && env.SESSION_SECRET === env.USER_ID_SECRET) {
    problems.push("SESSION_SECRET and USER_ID_SECRET must differ");
  }
  const recordKey = privateKeySchema.safeParse(env.RECORD_KEY);
  if (recordKey.success && isWellKnownKey(recordKey.data)) {
    problems.push("RECORD_KEY is a development key that everyone knows; use your own");
  }
  return problems;
}
