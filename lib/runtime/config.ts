import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { MetricsAddress } from "@/lib/metrics";
import type { AnonymousSettings } from "@/lib/policy/anonymous";
import type { TrustSettings } from "@/lib/policy/trust";
import type { Deployment } from "@/lib/proofs/deployment";
import type { CheckedDeployment } from "@/lib/proofs/deployment.server";
import { type PushKeys, readPushKeys } from "@/lib/push/settings";
import { checkProgram } from "@/lib/settings";
import { appVariables } from "@/lib/settings/app";
import { developmentVariables } from "@/lib/settings/development";
import { generalVariables } from "@/lib/settings/general";
import { type RotatingSecrets, type SigningKey, signingKeyOf } from "@/lib/settings/keys";
import { type Environment, isSet, SettingsError, type Values } from "@/lib/settings/read";
import { readTerms, type Terms } from "./terms";

const { DEV_LOGIN, RATE_LIMITS } = developmentVariables;
/** Every variable that the app reads. */
const variables = { ...generalVariables, ...appVariables, DEV_LOGIN, RATE_LIMITS };
type Settings = Values<typeof variables>;

export interface Config {
  readonly mode: "development" | "production";
  readonly databaseUrl: string;
  /** `embedded`, `redis://…`, `rediss://…` or `upstash+https://…`. */
  readonly cacheUrl: string;
  /** `disk`, or a bucket (lib/settings/storage-url.ts). */
  readonly storageUrl: string;
  /** Absolute path of the uploads folder, for `disk`. */
  readonly uploadsFolder: string;
  /** Sign session tokens, proof requests, upload addresses and stored responses. */
  readonly sessionSecrets: RotatingSecrets;
  /** Key of the hashes that identify users; changing it makes every user a stranger. */
  readonly userIdSecret: Uint8Array;
  /** Of the account that records posts on-chain and pays for it. */
  readonly recordKey: SigningKey | undefined;
  readonly adminUserIds: ReadonlySet<string>;
  /** Whom a suspended user can write to. */
  readonly appealAddress: string | undefined;
  /** Who runs the installation, and how people reach them, as pages say it. */
  readonly operator: { readonly name: string | undefined; readonly contact: string | undefined };
  /** The operator's own terms as HTML by language, not sanitized; undefined for the template. */
  readonly terms: Terms | undefined;
  readonly pushKeys: PushKeys | null;
  /** Sign-in without a proof; development only. */
  readonly devLogin: boolean;
  readonly rateLimits: boolean;
  readonly anonymous: Pick<AnonymousSettings, "minimum" | "roundMs">;
  /** What is done about spam. */
  readonly trust: TrustSettings;
  /** Proving in browsers: with our points, else the ceremony's (`any`); only with ours (`own`); not at all (`off`). */
  readonly browserProving: Settings["BROWSER_PROVING"];
  /** Number of trusted proxies in front of us; 0 when clients connect directly. */
  readonly trustedProxies: number;
  /** What the platform's clock sends to `/cron/housekeeping`; without it that address does not exist. */
  readonly cronSecret: Settings["CRON_SECRET"];
  /** Where /metrics is served; undefined for nowhere. */
  readonly metrics: MetricsAddress | undefined;
  /** Milliseconds after which an event stream ends, and its client resumes; undefined for no limit. */
  readonly streamMs: number | undefined;
}

const secretsFileSchema = z.object({
  SESSION_SECRET: z.string().min(32),
  USER_ID_SECRET: z.string().min(32),
  VAPID_PUBLIC_KEY: z.string().optional(),
  VAPID_PRIVATE_KEY: z.string().optional(),
  VAPID_SUBJECT: z.string().optional(),
});

type Kept = Partial<z.infer<typeof secretsFileSchema>>;

/** Each is the key of an HMAC-SHA256. */
const SECRETS = ["SESSION_SECRET", "USER_ID_SECRET"] as const;
const HOW_TO_SET = "to at least 32 random bytes, e.g. from: openssl rand -hex 32";

/**
 * Reads the settings of this process (docs/deploy.md lists them).
 * @param readSecrets reads what the stack wrote into the installation's folder
 * @throws SettingsError that lists every problem
 */
export function readConfig(environment: Environment, readSecrets = readDevelopmentSecrets): Config {
  const { config, problems } = checkConfig(environment, readSecrets);
  if (!config) throw new SettingsError(problems);
  return config;
}

/**
 * Checks all that the app starts with and collects every problem. Refuses settings that would protect no one. In
 * production: development sign-in, development setup data (anyone can forge its proofs), development identity providers
 * (anyone gets any email address from them), and missing, short or equal secrets. In any mode: a deployment description
 * for the other one.
 */
export function checkInstallation(
  environment: Environment,
  { deployment, problems: described }: CheckedDeployment,
): { config?: Config; problems: readonly string[] } {
  const { settings, config, problems } = checkConfig(environment, readDevelopmentSecrets);
  const mode = modeOf(settings);
  return {
    config,
    problems: [
      ...problems,
      ...described,
      ...(mode === "production" ? productionProblems(settings, environment) : []),
      ...(deployment ? deploymentProblems(mode, deployment) : []),
    ],
  };
}

function modeOf({ PARLEY_MODE = "development" }: Settings): Config["mode"] {
  return PARLEY_MODE;
}

/** @returns the settings without those that are wrong, and the configuration if there is no problem */
function checkConfig(environment: Environment, readSecrets: (home: string) => unknown) {
  const { values: settings, problems: wrong } = checkProgram(variables, environment);
  // None of these variables is required.
  if (!settings) throw new SettingsError(wrong);
  const problems = [...wrong];
  const mode = modeOf(settings);
  const home = path.resolve(/*turbopackIgnore: true*/ settings.PARLEY_HOME);
  const isComplete = SECRETS.every((name) => isSet(environment, name));
  const kept: Kept | undefined =
    isComplete || mode === "production" ? {} : secretsFileSchema.safeParse(readSecrets(home)).data;
  if (!kept) {
    const file = path.join(home, "secrets.json");
    problems.push(
      `no secrets in ${file} (npm start writes it); or set ${SECRETS.join(" and ")} ${HOW_TO_SET}`,
    );
  }
  const [sessionSecret, userIdSecret] = SECRETS.map((name) => {
    if (kept && !kept[name] && !isSet(environment, name)) problems.push(`set ${name} ${HOW_TO_SET}`);
    return new TextEncoder().encode(settings[name] ?? kept?.[name]);
  });
  const { SESSION_SECRET_PREVIOUS: previous } = settings;
  const record = recordKeyOf(settings, mode === "production");
  problems.push(...record.problems);
  const pushKeys = pushKeysOf(settings, kept, problems);
  const terms = settings.TERMS_PATH === undefined ? undefined : readTerms(settings.TERMS_PATH);
  if (terms?.problem) problems.push(terms.problem);
  if (!sessionSecret || !userIdSecret || problems.length > 0) return { settings, problems };
  const config: Config = {
    mode,
    databaseUrl: settings.DATABASE_URL ?? `pglite:${path.join(/*turbopackIgnore: true*/ home, "app-db")}`,
    cacheUrl: settings.CACHE_URL,
    storageUrl: settings.STORAGE_URL,
    uploadsFolder: path.join(/*turbopackIgnore: true*/ home, "uploads"),
    sessionSecrets: [sessionSecret, ...(previous ? [new TextEncoder().encode(previous)] : [])],
    userIdSecret,
    recordKey: record.key,
    pushKeys,
    adminUserIds: new Set(settings.ADMIN_USER_IDS),
    appealAddress: settings.APPEAL_ADDRESS,
    operator: { name: settings.OPERATOR_NAME, contact: settings.CONTACT_ADDRESS },
    terms: terms?.texts,
    devLogin: mode === "development" && settings.DEV_LOGIN,
    browserProving: settings.BROWSER_PROVING,
    // Only a development server can disable rate limits.
    rateLimits: !(mode === "development" && settings.RATE_LIMITS === "off"),
    anonymous: { minimum: settings.ANONYMOUS_MINIMUM, roundMs: settings.ANONYMOUS_ROUND_SECONDS * 1000 },
    trust: {
      spamLimits: settings.SPAM_LIMITS === "on",
      consumerAccounts: settings.CONSUMER_ACCOUNTS,
    },
    trustedProxies: settings.TRUST_PROXY,
    cronSecret: settings.CRON_SECRET,
    metrics:
      settings.METRICS_PORT === undefined
        ? undefined
        : { port: settings.METRICS_PORT, host: settings.METRICS_HOST },
    streamMs: settings.STREAM_SECONDS === undefined ? undefined : settings.STREAM_SECONDS * 1000,
  };
  return { settings, config, problems };
}

/** Chooses how on-chain records are signed. */
export function recordKeyOf(settings: Values<typeof appVariables>, isProduction: boolean) {
  const { RECORD_KEY: key, RECORD_SIGNER_URL: url } = settings;
  const { RECORD_SIGNER_ADDRESS: address, RECORD_SIGNER_TOKEN: token } = settings;
  return signingKeyOf("RECORD", { key, url, address, token }, isProduction);
}

type VapidKeys = Pick<Settings, "VAPID_PUBLIC_KEY" | "VAPID_PRIVATE_KEY" | "VAPID_SUBJECT">;

/** Reads all three variables or none of them, never a mix of the environment's and the file's. */
function pushKeysOf(set: VapidKeys, kept: VapidKeys = {}, problems: string[]): PushKeys | null {
  const isNamed = set.VAPID_PUBLIC_KEY ?? set.VAPID_PRIVATE_KEY ?? set.VAPID_SUBJECT;
  const keys = isNamed === undefined ? kept : set;
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = keys;
  if (!publicKey && !privateKey && !subject) return null;
  if (!publicKey || !privateKey || !subject) {
    problems.push("set VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT, or none of them");
    return null;
  }
  try {
    return readPushKeys({ publicKey, privateKey, subject });
  } catch (error) {
    problems.push(error instanceof Error ? error.message : "the VAPID keys cannot be read");
    return null;
  }
}

function readDevelopmentSecrets(home: string): unknown {
  try {
    const file = path.join(/*turbopackIgnore: true*/ home, "secrets.json");
    return JSON.parse(readFileSync(/*turbopackIgnore: true*/ file, "utf8"));
  } catch {
    return undefined;
  }
}

function productionProblems(settings: Settings, environment: Environment): string[] {
  const problems: string[] = [];
  if (settings.DEV_LOGIN) problems.push("DEV_LOGIN lets anyone sign in as anyone; unset it");
  if (settings.RATE_LIMITS === "off") {
    problems.push("RATE_LIMITS=off is for load tests in development; unset it");
  }
  if (!isSet(environment, "DATABASE_URL")) {
    problems.push("DATABASE_URL must name the database: otherwise the app would create a new, empty one");
  }
  for (const name of ["SESSION_SECRET", "SESSION_SECRET_PREVIOUS"] as const) {
    if (settings[name] && settings[name] === settings.USER_ID_SECRET) {
      problems.push(`${name} and USER_ID_SECRET must differ`);
    }
  }
  return problems;
}

function deploymentProblems(mode: Config["mode"], deployment: Deployment): string[] {
  const problems: string[] = [];
  if (deployment.mode !== mode) {
    problems.push(`PARLEY_MODE is ${mode}, but the deployment description is for ${deployment.mode}`);
  }
  if (mode !== "production") return problems;
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
  return problems;
}
