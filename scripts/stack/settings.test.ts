import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Deployment } from "@/lib/proofs/deployment";
import { SettingsError } from "@/lib/settings/read";
import { developmentKey } from "./accounts";
import { issuerDescription } from "./idp/description";
import { assertPortsFree, freePort, freePorts, PortTakenError } from "./ports";
import { productionDeployment } from "./production";
import { portClaims, settingsFrom } from "./settings";

const good = {
  DATABASE_URL: "postgres://parley@db.example/parley",
  SESSION_SECRET: "s".repeat(32),
  USER_ID_SECRET: "u".repeat(32),
  PROVER_SETTLEMENT_KEY: `0x${"12".repeat(32)}`,
};

describe("settings", () => {
  it("have defaults for everything", () => {
    const settings = settingsFrom({}, { dev: false });
    expect(settings).toMatchObject({ mode: "development", demo: true, home: path.resolve(".parley") });
    expect(portClaims(settings.ports, settings.mode).map((c) => c.port)).toEqual([
      3000, 3001, 3002, 3003, 3004, 3005, 8545, 8546, 8547, 8548,
    ]);
  });

  it.each([
    ["PORT", "80000"],
    ["PORT", "http"],
    ["PARLEY_MODE", "staging"],
    ["DEMO", "no"],
    ["ATTESTER_PORT", "x"],
    ["GATEWAY_PORT", "70000"],
    ["CHAIN_PORT_1", "-1"],
  ])("refuse %s=%s and name the variable", (name, value) => {
    expect(() => settingsFrom({ [name]: value }, { dev: false })).toThrow(
      expect.objectContaining({ name: "SettingsError", message: expect.stringContaining(name) }),
    );
  });
});

describe("ports", () => {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  it.each(["127.0.0.1", "0.0.0.0"])("a port taken on %s names port, service and variable", async (host) => {
    const port = await freePort();
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    const claim = { service: "the prover", port, variable: "PROVER_PORT" };
    const refusal = expect(assertPortsFree([claim])).rejects;
    await refusal.toThrow(PortTakenError);
    await expect(assertPortsFree([claim])).rejects.toThrow(
      new RegExp(`${port}.*the prover.*PROVER_PORT`, "s"),
    );
  });

  it("two services on one port are reported", async () => {
    const port = await freePort();
    await expect(
      assertPortsFree([
        { service: "the app", port, variable: "PORT" },
        { service: "the prover", port, variable: "PROVER_PORT" },
      ]),
    ).rejects.toThrow("wanted by both the app (PORT) and the prover (PROVER_PORT)");
  });

  it("free ports pass", async () => {
    const ports = await freePorts(3);
    expect(new Set(ports).size).toBe(3);
    await assertPortsFree(ports.map((port) => ({ service: "x", port, variable: "X" })));
  });
});

describe("production", () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), "parley-settings-"));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const start = async (env: Record<string, string>) =>
    productionDeployment(settingsFrom({ ...good, PARLEY_MODE: "production", ...env }, { dev: false }).env);

  async function description(changes: Partial<Deployment>): Promise<string> {
    const file = path.join(dir, `${Math.random()}.json`);
    const sound: Deployment = {
      mode: "production",
      scope: "s",
      srs: { kind: "ignition", digest: `0x${"00".repeat(32)}` },
      chains: [
        {
          id: 1,
          name: "c",
          rpcUrl: "https://c.example",
          publicRpcUrl: "https://c.example",
          explorerUrl: null,
        },
      ],
      verifiers: {},
      issuers: [],
      offers: [],
      recordBoard: null,
      services: { appUrl: "https://a.example", proverUrl: "https://p.example", facilitatorUrl: null },
    };
    await writeFile(file, JSON.stringify({ ...sound, ...changes }));
    return file;
  }

  it("starts with a valid description and its own keys and secrets", async () => {
    await expect(start({ PARLEY_DEPLOYMENT: await description({}) })).resolves.toMatchObject({
      mode: "production",
    });
  });

  it("refuses DEV_LOGIN", async () => {
    await expect(start({ DEV_LOGIN: "1" })).rejects.toThrow("DEV_LOGIN");
    await expect(start({ DEV_LOGIN: "1", PARLEY_DEPLOYMENT: await description({}) })).rejects.toThrow(
      "DEV_LOGIN",
    );
  });

  it.each([
    ["PROVER_SETTLEMENT_KEY", "payee"],
    ["FACILITATOR_KEY", "deployer"],
    ["RECORD_KEY", "recorder"],
    ["FACILITATOR_KEY", "attesterDeployer"],
  ] as const)("refuses a development key in %s (%s)", async (name, role) => {
    const env = { [name]: developmentKey(role), PARLEY_DEPLOYMENT: await description({}) };
    await expect(start(env)).rejects.toThrow(new RegExp(`${name} is a (public )?development key`));
  });

  it("refuses a development SRS", async () => {
    const srs = { kind: "development" as const, digest: `0x${"00".repeat(32)}` as const };
    await expect(start({ PARLEY_DEPLOYMENT: await description({ srs }) })).rejects.toThrow(
      "anyone can forge",
    );
  });

  it("refuses a development identity provider", async () => {
    const issuers = [issuerDescription("http://localhost:3003", "provider_a")];
    await expect(start({ PARLEY_DEPLOYMENT: await description({ issuers }) })).rejects.toThrow(
      "for development",
    );
  });

  it("refuses short secrets", async () => {
    const env = { SESSION_SECRET: "short", PARLEY_DEPLOYMENT: await description({}) };
    await expect(start(env)).rejects.toThrow("SESSION_SECRET");
  });

  it("lists every problem at once", async () => {
    const file = await description({ mode: "development" });
    const wrong = { PORT: "http", PROVER_QUEUE_LIMIT: "0", TRUST_PROXY: "many", PARLEY_HOEM: "x" };
    const env = { DEV_LOGIN: "1", FACILITATOR_KEY: "x", ...wrong };
    const refused = await start({ ...env, PARLEY_DEPLOYMENT: file }).catch((error: unknown) => error);
    const named = ["DEV_LOGIN", "for development", "FACILITATOR_KEY", ...Object.keys(wrong)];
    for (const name of named) expect(String(refused).split(name), name).toHaveLength(2);
  });

  it("takes the description itself, and secrets from files", async () => {
    const text = await readFile(await description({}), "utf8");
    const file = path.join(dir, "secret");
    await writeFile(file, `${"f".repeat(32)}\n`);
    const { SESSION_SECRET: _, ...rest } = good;
    const settings = settingsFrom(
      { ...rest, PARLEY_MODE: "production", PARLEY_DEPLOYMENT: text, SESSION_SECRET_FILE: file },
      { dev: false },
    );
    expect(productionDeployment(settings.env)).toMatchObject({ mode: "production", scope: "s" });
  });

  it.each([
    ["", "docs/deploy.md"],
    ["/nowhere/at/all.json", "cannot be read"],
  ])("does not start without a description (%j)", async (file, message) => {
    await expect(start(file ? { PARLEY_DEPLOYMENT: file } : {})).rejects.toThrow(message);
    await expect(start(file ? { PARLEY_DEPLOYMENT: file } : {})).rejects.toThrow(SettingsError);
  });
});
