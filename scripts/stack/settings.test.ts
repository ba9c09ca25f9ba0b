import { createServer } from "node:net";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { developmentKey } from "./accounts";
import { assertPortsFree, freePort, freePorts, PortTakenError } from "./ports";
import { productionDeployment, productionProblems } from "./production";
import { portClaims, SettingsError, settingsFrom } from "./settings";

const good = {
  SESSION_SECRET: "s".repeat(32),
  USER_ID_SECRET: "u".repeat(32),
  PROVER_SETTLEMENT_KEY: `0x${"12".repeat(32)}`,
};

describe("settings", () => {
  it("have defaults for everything", () => {
    const settings = settingsFrom({}, { dev: false });
    expect(settings).toMatchObject({ mode: "development", demo: true, home: path.resolve(".parley") });
    expect(portClaims(settings.ports, settings.mode).map((c) => c.port)).toEqual([
      3000, 3001, 3002, 3003, 8545, 8546, 8547, 8548,
    ]);
  });

  it.each([
    ["PORT", "80000"],
    ["PORT", "http"],
    ["PARLEY_MODE", "staging"],
    ["DEMO", "no"],
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

  it("two services on one port are told apart", async () => {
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
  it("refuses DEV_LOGIN", () => {
    expect(productionProblems({ ...good, DEV_LOGIN: "1" }, null)).toContainEqual(
      expect.stringContaining("DEV_LOGIN"),
    );
  });

  it.each(["PROVER_SETTLEMENT_KEY", "FACILITATOR_KEY"])("refuses a development key in %s", (name) => {
    expect(productionProblems({ ...good, [name]: developmentKey("payee") }, null)).toContainEqual(
      expect.stringMatching(new RegExp(`${name}.*development key`)),
    );
  });

  it("refuses missing secrets", () => {
    const problems = productionProblems({}, null).join("\n");
    expect(problems).toContain("SESSION_SECRET");
    expect(problems).toContain("USER_ID_SECRET");
  });

  it("lists a development description's faults: mode, setup data, issuers", () => {
    const problems = productionProblems(good, {
      mode: "development",
      scope: "s",
      srs: { kind: "development", digest: `0x${"00".repeat(32)}` },
      chains: [],
      verifiers: {},
      issuers: [
        {
          provider: "provider_a",
          label: "Development identity provider",
          issuer: "http://localhost:3003",
          jwksUri: "http://localhost:3003/jwks",
          authorizationEndpoint: "http://localhost:3003/auth",
          deviceAuthorizationEndpoint: "http://localhost:3003/device/auth",
          tokenEndpoint: "http://localhost:3003/token",
          webClientId: "w",
          deviceClientId: "d",
          development: true,
        },
      ],
      offers: [],
      recordBoard: null,
      services: { appUrl: "http://localhost", proverUrl: "http://localhost", facilitatorUrl: null },
    });
    expect(problems).toHaveLength(3);
    expect(problems.join("\n")).toMatch(
      /mode "development"[\s\S]*development SRS[\s\S]*development identity provider/,
    );
  });

  it("does not start without a description, and says where to read about it", async () => {
    const settings = settingsFrom({ ...good, PARLEY_MODE: "production" }, { dev: false });
    await expect(productionDeployment(settings)).rejects.toThrow(SettingsError);
    await expect(productionDeployment(settings)).rejects.toThrow("docs/deploy.md");
  });
});
