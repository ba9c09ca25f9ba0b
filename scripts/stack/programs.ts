import path from "node:path";
import type { AttestationChainId } from "@/contracts/attestation";
import type { Deployment } from "@/lib/proofs/deployment";
import { secrets as allSecrets } from "@/lib/settings";
import { appVariables } from "@/lib/settings/app";
import type { Shape } from "@/lib/settings/declare";
import { facilitatorVariables } from "@/lib/settings/facilitator";
import { proverVariables } from "@/lib/settings/prover";
import { type Environment, FILE_SUFFIX, isSet } from "@/lib/settings/read";
import { developmentKey, type Role } from "./accounts";
import { answers, answersOk, type ChildSpec } from "./children";
import { entryFiles } from "./next-build";
import type { Secrets } from "./secrets";
import { homePaths, ROOT, type StackSettings } from "./settings";
import { programArgs } from "./sources";

/** Addresses that the login page of the development identity provider suggests, those of the demo members included. */
export const SUGGESTED_ACCOUNTS = [
  "mina.park@acme.example",
  "jonas.weber@acme.example",
  "lucia.ferrari@northwind.example",
  "sam.okafor@contoso.example",
];
const TSX_CLI = path.join(ROOT, "node_modules", "tsx", "dist", "cli.mjs");

/** The settings that all programs of one stack share. */
export interface ProgramContext {
  settings: StackSettings;
  deployment: Deployment;
  deploymentFile: string;
  /** Null in production, where secrets come from the environment only. */
  secrets: Secrets | null;
}

/** Returns how to start the identity provider (development only). */
export function idpProgram(
  settings: StackSettings,
  secrets: Secrets,
  issuer: string,
  appUrl: string,
): ChildSpec {
  return service(settings, "idp", "scripts/stack/idp/main.ts", {
    ...inherited(settings, {}),
    IDP_ISSUER: issuer,
    IDP_SIGNING_KEYS: JSON.stringify(secrets.idpSigningKeys),
    IDP_COOKIE_KEY: secrets.IDP_COOKIE_KEY,
    IDP_CLIENT_ORIGINS: [appUrl, appUrl.replace("localhost", "127.0.0.1")].join(","),
    IDP_SUGGESTIONS: SUGGESTED_ACCOUNTS.join(","),
  });
}

/** Returns how to start the development attester. @param rpcUrls of the chains it attests on */
export function attesterProgram(
  settings: StackSettings,
  rpcUrls: Readonly<Record<AttestationChainId, string>>,
): ChildSpec {
  return service(settings, "attester", "scripts/stack/attester/main.ts", {
    ...inherited(settings, {}),
    ATTESTER_RPC_8453: rpcUrls[8453],
    ATTESTER_RPC_91342: rpcUrls[91342],
  });
}

/** Returns how to start the stub of Circle Gateway (development only). */
export function gatewayProgram(context: ProgramContext): ChildSpec {
  const { settings } = context;
  return service(settings, "gateway", "scripts/stack/gateway/main.ts", {
    ...shared(context, {}),
    GATEWAY_FILE: homePaths(settings.home).gateway,
  });
}

/** Returns how to start the self-hosted x402 facilitator. */
export function facilitatorProgram(context: ProgramContext): ChildSpec {
  const { settings } = context;
  return service(settings, "facilitator", "prover/facilitator/main.ts", {
    ...shared(context, facilitatorVariables),
    ...unlessSet(settings, { FACILITATOR_KEY: developmentOnly(settings, "facilitator") }),
  });
}

/** Returns how to start a service that gets its port in `<NAME>_PORT` and is not reloaded. */
function service(
  { ports }: StackSettings,
  name: "idp" | "attester" | "gateway" | "facilitator",
  entry: string,
  env: Environment,
): ChildSpec {
  const port = { [`${name.toUpperCase()}_PORT`]: String(ports[name]) };
  return { name, ...program(entry, false), env: { ...env, ...port }, ...checks(ports[name]) };
}

/** Returns how to start the prover. Its first start may still create keys, so the timeout is long. */
export function proverProgram(context: ProgramContext): ChildSpec {
  const { settings } = context;
  return {
    name: "prover",
    ...withoutCoreDumps(program("prover/main.ts", settings.dev)),
    env: {
      ...shared(context, proverVariables),
      PROVER_PORT: String(settings.ports.prover),
      ...unlessSet(settings, {
        PROVER_DATABASE_URL: `pglite:${homePaths(settings.home).proverDatabase}`,
        PROVER_SETTLEMENT_KEY: developmentOnly(settings, "payee"),
      }),
    },
    ...checks(settings.ports.prover),
    readyTimeoutMs: 300_000,
  };
}

/** Returns how to start the app: the entry server in front of Next, on the build or with hot reload (lib/server/main.ts). */
export function appProgram(context: ProgramContext): ChildSpec {
  const { settings, deployment, secrets } = context;
  const port = String(settings.ports.app);
  return {
    name: "app",
    command: process.execPath,
    args: settings.dev ? ["--enable-source-maps", entryFiles.dev] : [entryFiles.build],
    env: {
      ...shared(context, appVariables),
      NODE_ENV: settings.dev ? "development" : "production",
      HOST: settings.host,
      PORT: port,
      NEXTAUTH_URL: deployment.services.appUrl,
      NEXT_TELEMETRY_DISABLED: "1",
      ...unlessSet(settings, {
        DATABASE_URL: `pglite:${homePaths(settings.home).appDatabase}`,
        SESSION_SECRET: secrets?.SESSION_SECRET,
        USER_ID_SECRET: secrets?.USER_ID_SECRET,
        RECORD_KEY: developmentOnly(settings, "recorder"),
        // The demo, the tests and you write a lot with new accounts.
        ...(settings.mode === "development" && { SPAM_LIMITS: "off" }),
      }),
      ...vapidOf(context),
    },
    ...checks(port, "/api/health", "/api/health/ready"),
    readyTimeoutMs: 300_000,
  };
}

/** Returns the VAPID keys of the installation if the environment has none, but never a mix. */
function vapidOf({ settings: { env }, secrets }: ProgramContext): Environment {
  if (!secrets || ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"].some((name) => isSet(env, name)))
    return {};
  const { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT } = secrets;
  return { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT };
}

/** Returns those values whose variable the operator did not set, as a text or as a file. */
function unlessSet({ env }: StackSettings, values: Environment): Environment {
  return Object.fromEntries(
    Object.entries(values).filter(
      // A remote signer takes the place of a key.
      ([name]) => !isSet(env, name) && !isSet(env, name.replace(/_KEY$/, "_SIGNER_URL")),
    ),
  );
}

function program(entry: string, watch: boolean): { command: string; args: string[] } {
  const args = watch ? [TSX_CLI, "watch", "--clear-screen=false", entry] : programArgs(entry);
  return { command: process.execPath, args };
}

/** Disables core dumps: this program's memory holds tokens, which a crash must not write to a file. */
function withoutCoreDumps({ command, args }: { command: string; args: string[] }) {
  return { command: "/bin/sh", args: ["-c", 'ulimit -c 0 && exec "$@"', "sh", command, ...args] };
}

/** Returns what a program inherits: everything but the secrets of others. @param own the variables that it reads */
function inherited({ env, mode, home }: StackSettings, own: Shape): Environment {
  const others = new Set(allSecrets.filter((name) => !(name in own)).flatMap((n) => [n, n + FILE_SUFFIX]));
  const inherits = Object.entries(env).filter(([name]) => !others.has(name));
  return { ...Object.fromEntries(inherits), PARLEY_MODE: mode, PARLEY_HOME: home };
}

function shared({ settings, deploymentFile }: ProgramContext, own: Shape): Environment {
  return { ...inherited(settings, own), PARLEY_DEPLOYMENT: deploymentFile };
}

function checks(
  port: string | number,
  health = "/health",
  ready = health,
): Pick<ChildSpec, "ready" | "alive"> {
  const origin = `http://127.0.0.1:${port}`;
  return { ready: () => answersOk(origin + ready), alive: () => answers(origin + health) };
}

function developmentOnly({ mode }: StackSettings, role: Role): string | undefined {
  return mode === "development" ? developmentKey(role) : undefined;
}
