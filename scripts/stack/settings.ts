import path from "node:path";
import { z } from "zod";
import type { PortClaim } from "./ports";

/** Ids of the local chains: the payment and verification chains of the spec, and one for payee settlement. */
export const CHAINS = [
  { id: 8453, name: "Base (development)", defaultPort: 8545 },
  { id: 5042002, name: "Arc testnet (development)", defaultPort: 8546 },
  { id: 91342, name: "GIWA Sepolia (development)", defaultPort: 8547 },
  { id: 1, name: "Ethereum (development)", defaultPort: 8548 },
] as const;
type LocalChainId = (typeof CHAINS)[number]["id"];

/** Environment variables by name (Next narrows NodeJS.ProcessEnv to one with NODE_ENV in it). */
export type Environment = Record<string, string | undefined>;

export interface Ports {
  app: number;
  prover: number;
  facilitator: number;
  idp: number;
  attester: number;
  gateway: number;
  chains: Record<LocalChainId, number>;
}

export interface StackSettings {
  mode: "development" | "production";
  /** Folder of all state: chains, databases, secrets, logs. */
  home: string;
  ports: Ports;
  /** Fill the demo community on the first start. */
  demo: boolean;
  /** Hot reload: Next in development, `tsx watch`. */
  dev: boolean;
  /** Environment the children inherit (DEV_LOGIN, RATE_LIMITS, DATABASE_URL, ... pass through). */
  env: Environment;
}

/** A setting that cannot work; the message says which and what to do. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

const port = (fallback: number) => z.coerce.number().int().min(1).max(65_535).default(fallback);
const settingsEnv = z.object({
  PARLEY_MODE: z.enum(["development", "production"]).default("development"),
  PARLEY_HOME: z.string().min(1).default(".parley"),
  DEMO: z.enum(["0", "1"]).default("1"),
  PORT: port(3000),
  PROVER_PORT: port(3001),
  FACILITATOR_PORT: port(3002),
  IDP_PORT: port(3003),
  ATTESTER_PORT: port(3004),
  GATEWAY_PORT: port(3005),
  CHAIN_PORT_8453: port(8545),
  CHAIN_PORT_5042002: port(8546),
  CHAIN_PORT_91342: port(8547),
  CHAIN_PORT_1: port(8548),
});

/**
 * The settings of `npm start` from its environment.
 * @throws SettingsError naming the variable that is wrong.
 */
export function settingsFrom(env: Environment, flags: { dev: boolean }): StackSettings {
  const parsed = settingsEnv.safeParse(env);
  if (!parsed.success) {
    throw new SettingsError(parsed.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`).join("\n"));
  }
  const e = parsed.data;
  return {
    mode: e.PARLEY_MODE,
    home: path.resolve(e.PARLEY_HOME),
    demo: e.DEMO === "1",
    dev: flags.dev,
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

/** Who wants which port, with the variable that moves it. Production starts no chains and no stand-ins. */
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

/** Files and folders below the home. */
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
