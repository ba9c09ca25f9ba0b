import path from "node:path";
import type { AttestationChainId } from "@/contracts/attestation";
import type { Deployment } from "@/lib/proofs/deployment";
import { developmentKey } from "./accounts";
import { answers, answersOk, type ChildSpec } from "./children";
import { entryFiles } from "./entry";
import { ROOT } from "./root";
import type { Secrets } from "./secrets";
import { type Environment, homePaths, type StackSettings } from "./settings";

/** Personas the login page of the development identity provider suggests; the demo members among them. */
export const SUGGESTED_ACCOUNTS = [
  "mina.park@acme.example",
  "jonas.weber@acme.example",
  "lucia.ferrari@northwind.example",
  "sam.okafor@contoso.example",
];
const TSX_CLI = path.join(ROOT, "node_modules", "tsx", "dist", "cli.mjs");

/** Secrets of one process never reach the environment of another: this is what a child does not inherit. */
const PRIVATE_VARIABLES = [
  "SESSION_SECRET",
  "USER_ID_SECRET",
  "VAPID_PRIVATE_KEY",
  "RECORD_KEY",
  "PROVER_SETTLEMENT_KEY",
  "FACILITATOR_KEY",
  "DATABASE_URL",
  "STORAGE_URL",
  "PROVER_DATABASE_URL",
  "PROVER_SECRET",
  "PROVER_ENCRYPTION_KEY",
];

/** What the programs of one stack are started with. */
export interface ProgramContext {
  settings: StackSettings;
  deployment: Deployment;
  deploymentFile: string;
  /** Null in production, where secrets come from the environment only. */
  secrets: Secrets | null;
}

/** The identity provider's process (development only). */
export function idpProgram(
  settings: StackSettings,
  secrets: Secrets,
  issuer: string,
  appUrl: string,
): ChildSpec {
  return {
    name: "idp",
    ...tsx("scripts/stack/idp/main.ts", false),
    env: {
      ...inherited(settings),
      IDP_PORT: String(settings.ports.idp),
      IDP_ISSUER: issuer,
      IDP_SIGNING_KEYS: JSON.stringify(secrets.idpSigningKeys),
      IDP_COOKIE_KEY: secrets.IDP_COOKIE_KEY,
      IDP_CLIENT_ORIGINS: [appUrl, appUrl.replace("localhost", "127.0.0.1")].join(","),
      IDP_SUGGESTIONS: SUGGESTED_ACCOUNTS.join(","),
    },
    ready: () => answersOk(`http://127.0.0.1:${settings.ports.idp}/health`),
    alive: () => answers(`http://127.0.0.1:${settings.ports.idp}/health`),
  };
}

/** The development attester's process (development only). @param rpcUrls of the chains it attests on */
export function attesterProgram(
  settings: StackSettings,
  rpcUrls: Readonly<Record<AttestationChainId, string>>,
): ChildSpec {
  return {
    name: "attester",
    ...tsx("scripts/stack/attester/main.ts", false),
    env: {
      ...inherited(settings),
      ATTESTER_PORT: String(settings.ports.attester),
      ATTESTER_RPC_8453: rpcUrls[8453],
      ATTESTER_RPC_91342: rpcUrls[91342],
    },
    ready: () => answersOk(`http://127.0.0.1:${settings.ports.attester}/health`),
    alive: () => answers(`http://127.0.0.1:${settings.ports.attester}/health`),
  };
}

/** The stub of Circle Gateway (development only). */
export function gatewayProgram(context: ProgramContext): ChildSpec {
  const { settings } = context;
  return {
    name: "gateway",
    ...tsx("scripts/stack/gateway/main.ts", false),
    env: {
      ...shared(context),
      GATEWAY_PORT: String(settings.ports.gateway),
      GATEWAY_FILE: homePaths(settings.home).gateway,
    },
    ready: () => answersOk(`http://127.0.0.1:${settings.ports.gateway}/health`),
    alive: () => answers(`http://127.0.0.1:${settings.ports.gateway}/health`),
  };
}

/** The self-hosted x402 facilitator. */
export function facilitatorProgram(context: ProgramContext): ChildSpec {
  const { settings } = context;
  return {
    name: "facilitator",
    ...tsx("prover/facilitator/main.ts", false),
    env: {
      ...shared(context),
      FACILITATOR_PORT: String(settings.ports.facilitator),
      FACILITATOR_KEY:
        settings.env.FACILITATOR_KEY ?? developmentOnly(settings, () => developmentKey("facilitator")),
    },
    ready: () => answersOk(`http://127.0.0.1:${settings.ports.facilitator}/health`),
    alive: () => answers(`http://127.0.0.1:${settings.ports.facilitator}/health`),
  };
}

/** The prover. Its first start may still make keys: it gets time for that. */
export function proverProgram(context: ProgramContext): ChildSpec {
  const { settings } = context;
  return {
    name: "prover",
    ...withoutCoreDumps(tsx("prover/main.ts", settings.dev)),
    env: {
      ...shared(context),
      PROVER_SECRET: settings.env.PROVER_SECRET,
      PROVER_ENCRYPTION_KEY: settings.env.PROVER_ENCRYPTION_KEY,
      PROVER_PORT: String(settings.ports.prover),
      PROVER_DATABASE_URL:
        settings.env.PROVER_DATABASE_URL ?? `pglite:${homePaths(settings.home).proverDatabase}`,
      PROVER_SETTLEMENT_KEY:
        settings.env.PROVER_SETTLEMENT_KEY ?? developmentOnly(settings, () => developmentKey("payee")),
    },
    ready: () => answersOk(`http://127.0.0.1:${settings.ports.prover}/health`),
    alive: () => answers(`http://127.0.0.1:${settings.ports.prover}/health`),
    readyTimeoutMs: 300_000,
  };
}

/** The community: the entry server with Next behind it, on the build or with hot reload (lib/server/main.ts). */
export function appProgram(context: ProgramContext): ChildSpec {
  const { settings, deployment, secrets } = context;
  const port = String(settings.ports.app);
  const host = settings.env.HOST ?? "127.0.0.1";
  return {
    name: "app",
    command: process.execPath,
    args: settings.dev ? ["--enable-source-maps", entryFiles.dev] : [entryFiles.build],
    env: {
      ...shared(context),
      NODE_ENV: settings.dev ? "development" : "production",
      HOST: host,
      PORT: port,
      NEXTAUTH_URL: deployment.services.appUrl,
      NEXT_TELEMETRY_DISABLED: "1",
      DATABASE_URL: settings.env.DATABASE_URL ?? `pglite:${homePaths(settings.home).appDatabase}`,
      STORAGE_URL: settings.env.STORAGE_URL,
      SESSION_SECRET: settings.env.SESSION_SECRET ?? secrets?.SESSION_SECRET,
      USER_ID_SECRET: settings.env.USER_ID_SECRET ?? secrets?.USER_ID_SECRET,
      ...vapidOf(context),
      RECORD_KEY: settings.env.RECORD_KEY ?? developmentOnly(settings, () => developmentKey("recorder")),
    },
    ready: () => answersOk(`http://127.0.0.1:${port}/api/health/ready`),
    alive: () => answers(`http://127.0.0.1:${port}/api/health`),
    readyTimeoutMs: 300_000,
  };
}

/** Keys of the environment, or else those of the installation: never some of each. */
function vapidOf({ settings: { env }, secrets }: ProgramContext): Environment {
  const given = env.VAPID_PUBLIC_KEY ?? env.VAPID_PRIVATE_KEY ?? env.VAPID_SUBJECT;
  const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT } = (given === undefined && secrets) || env;
  return { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT };
}

function tsx(entry: string, watch: boolean): { command: string; args: string[] } {
  const args = watch ? [TSX_CLI, "watch", "--clear-screen=false", entry] : ["--import", "tsx", entry];
  return { command: process.execPath, args };
}

/** Tokens pass through this program's memory: it must not end up in a file when the program crashes. */
function withoutCoreDumps({ command, args }: { command: string; args: string[] }) {
  return { command: "/bin/sh", args: ["-c", 'ulimit -c 0 && exec "$@"', "sh", command, ...args] };
}

function inherited(settings: StackSettings): Environment {
  const env: Environment = { ...settings.env, PARLEY_MODE: settings.mode, PARLEY_HOME: settings.home };
  for (const name of PRIVATE_VARIABLES) delete env[name];
  return env;
}

function shared(context: ProgramContext): Environment {
  return { ...inherited(context.settings), PARLEY_DEPLOYMENT: context.deploymentFile };
}

function developmentOnly(settings: StackSettings, value: () => string): string | undefined {
  return settings.mode === "development" ? value() : undefined;
}
