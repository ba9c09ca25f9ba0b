import { readFileSync } from "node:fs";
import path from "node:path";
import type { Hex } from "viem";
import { z } from "zod";
import { privateKeySchema } from "@/lib/chain/keys";
import { type PushKeys, readPushKeys } from "@/lib/push/settings";
import { parseStorageUrl } from "@/lib/storage/settings";

/** A setting that stops the start, with what to do about it. */
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
  /** Absolute path of the folder of uploads, for `disk`. */
  readonly uploadsFolder: string;
  /** Signs session tokens. */
  readonly sessionSecret: Uint8Array;
  /** Keys the hashes that stand for identities; changing it makes everybody a stranger. */
  readonly userIdSecret: Uint8Array;
  /** Key of the account that records posts on-chain and pays for it. */
  readonly recordKey: Hex | undefined;
  readonly adminUserIds: ReadonlySet<string>;
  /** Null where no push messages are sent. */
  readonly pushKeys: PushKeys | null;
  /** Sign-in without a proof; development only. */
  readonly devLogin: boolean;
  readonly rateLimits: boolean;
  /**
   * Proofs in members' browsers, on the ceremony's points: our own points where this machine has them, else the
   * ceremony's hosts (`any`); never those hosts (`own`); nobody proves in a browser (`off`).
   */
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

/** Shortest secret taken, in bytes: the size of the HMAC-SHA256 output. */
export const minSecretBytes = 32;

/**
 * Reads the settings of this process (docs/deploy.md lists them).
 * @throws ConfigError naming the variable and what it must be.
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
    // Only a development server can be told to take any number of requests.
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
  const advice = `set ${missing} to at least ${minSecretBytes} random bytes, e.g. from: openssl rand -hex 32`;
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

/** All three settings or none of them. */
function pushKeys(secrets: Secrets): PushKeys | null {
  const publicKey = secrets.VAPID_PUBLIC_KEY || undefined;
  const privateKey = secrets.VAPID_PRIVATE_KEY || undefined;
  const subject = secrets.VAPID_SUBJECT || undefined;
  if (publicKey === undefined && privateKey === undefined && subject === undefined) return null;
  if (publicKey === undefined || privateKey === undefined || subject === undefined) {
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
  if (bytes.length < minSecretBytes)
    throw new ConfigError(`${name} must be at least ${minSecretBytes} bytes`);
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
