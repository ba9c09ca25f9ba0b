import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { developmentVariables } from "@/lib/settings/development";
import { facilitatorVariables } from "@/lib/settings/facilitator";
import { generalVariables } from "@/lib/settings/general";
import { proverVariables } from "@/lib/settings/prover";
import { checkSettings, type Environment, SettingsError } from "@/lib/settings/read";
import { freePorts, type PortClaim } from "./ports";
import { checkProduction, programProblems } from "./production";

/** The repository's root. Every child process runs there, whatever the caller's working directory is. */
export const ROOT = path.resolve(import.meta.dirname, "..", "..");

/** The local chains: the payment and verification chains of the specification, and one for payee settlement. */
export const CHAINS = [
  { id: 8453, name: "Base (development)" },
  { id: 5042002, name: "Arc testnet (development)" },
  { id: 91342, name: "GIWA Sepolia (development)" },
  { id: 1, name: "Ethereum (development)" },
] as const;

/** What `npm start` reads itself: where its programs run. */
const { PARLEY_MODE, PARLEY_HOME, PORT, HOST } = generalVariables;
const variables = {
  ...{ PARLEY_MODE, PARLEY_HOME, PORT, HOST },
  PROVER_PORT: proverVariables.PROVER_PORT,
  FACILITATOR_PORT: facilitatorVariables.FACILITATOR_PORT,
  ...developmentVariables,
};

export type StackSettings = ReturnType<typeof settingsFrom>;
export type Ports = StackSettings["ports"];

/**
 * Reads the settings of `npm start` from its environment, and checks those of the programs it starts.
 * @throws SettingsError that lists every problem
 */
export function settingsFrom(env: Environment, flags: { dev: boolean }) {
  const { values: e, problems } = checkSettings(variables, env);
  const all = new Set([...problems, ...programProblems(env)]);
  if (!e || all.size > 0) {
    const production = e?.PARLEY_MODE === "production" ? checkProduction(env).problems : [];
    throw new SettingsError([...new Set([...all, ...production])]);
  }
  return {
    mode: e.PARLEY_MODE ?? "development",
    /** Folder of all data: chains, databases, secrets, logs. */
    home: path.resolve(e.PARLEY_HOME),
    /** Whether to fill the demo community on the first start. */
    demo: e.DEMO,
    /** Whether to run with hot reload: Next in development, `tsx watch`. */
    dev: flags.dev,
    devLogin: e.DEV_LOGIN,
    /** Application scope of the description that a development start writes. */
    scope: e.PARLEY_SCOPE,
    /** Address that the app listens on. */
    host: e.HOST,
    /** Environment that children inherit, each without the secrets of others. */
    env,
    ports: {
      app: e.PORT,
      prover: e.PROVER_PORT,
      facilitator: e.FACILITATOR_PORT,
      idp: e.IDP_PORT,
      attester: e.ATTESTER_PORT,
      gateway: e.GATEWAY_PORT,
      chains: {
        8453: e.CHAIN_PORT_8453,
        5042002: e.CHAIN_PORT_5042002,
        91342: e.CHAIN_PORT_91342,
        1: e.CHAIN_PORT_1,
      },
    },
  };
}

/** Returns every service with its port and variable. Production starts no chains and no stand-ins. */
export function portClaims(ports: Ports, mode: StackSettings["mode"]): PortClaim[] {
  const programs = [
    { service: "the app", port: ports.app, variable: "PORT" },
    { service: "the prover", port: ports.prover, variable: "PROVER_PORT" },
    { service: "the payment facilitator", port: ports.facilitator, variable: "FACILITATOR_PORT" },
  ];
  if (mode === "production") return programs;
  return [
    ...programs,
    { service: "the development identity provider", port: ports.idp, variable: "IDP_PORT" },
    { service: "the development attester", port: ports.attester, variable: "ATTESTER_PORT" },
    { service: "the stub payment gateway", port: ports.gateway, variable: "GATEWAY_PORT" },
    ...CHAINS.map(({ id }) => ({
      service: `chain ${id}`,
      port: ports.chains[id],
      variable: `CHAIN_PORT_${id}`,
    })),
  ];
}

/** Returns the files and folders below the home. */
export function homePaths(home: string) {
  return {
    deployment: path.join(home, "deployment.json"),
    contracts: path.join(home, "contracts.json"),
    secrets: path.join(home, "secrets.json"),
    demo: path.join(home, "demo.json"),
    logs: path.join(home, "logs"),
    chains: path.join(home, "chains"),
    appDatabase: path.join(home, "app-db"),
    proverDatabase: path.join(home, "prover-db"),
    gateway: path.join(home, "gateway.json"),
  };
}

/** Returns settings for a separate stack: a new folder, free ports, no demo. For tests and `npm test`. */
export async function temporarySettings(overrides: Partial<StackSettings> = {}): Promise<StackSettings> {
  const [app = 0, prover = 0, facilitator = 0, idp = 0, attester = 0, gateway = 0, ...chains] =
    await freePorts(10);
  const [base = 0, arc = 0, giwa = 0, ethereum = 0] = chains;
  return {
    ...settingsFrom(overrides.env ?? process.env, { dev: false }),
    mode: "development",
    home: await mkdtemp(path.join(os.tmpdir(), "parley-")),
    demo: false,
    ports: {
      ...{ app, prover, facilitator, idp, attester, gateway },
      chains: { 8453: base, 5042002: arc, 91342: giwa, 1: ethereum },
    },
    ...overrides,
  };
}
