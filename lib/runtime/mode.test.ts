import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Deployment } from "@/lib/proofs/deployment";
import { type Environment, SettingsError } from "@/lib/settings/read";
import { testDeployment } from "@/lib/testing/deployment";
import { checkInstallation, readConfig } from "./config";

const development = testDeployment();
const production: Deployment = {
  ...development,
  mode: "production",
  srs: { ...development.srs, kind: "ignition" },
  issuers: development.issuers.map((issuer) => ({ ...issuer, development: false })),
  services: { appUrl: "https://parley.example", proverUrl: "https://prover.example", facilitatorUrl: null },
};
const secrets = { SESSION_SECRET: "s".repeat(32), USER_ID_SECRET: "u".repeat(32) };
const env: Environment = {
  PARLEY_MODE: "production",
  DATABASE_URL: "postgres://parley@db.example/parley",
  ...secrets,
};

const problemsOf = (environment: Environment, deployment: Deployment) =>
  checkInstallation(environment, { deployment, problems: [] }).problems;

describe("checkInstallation", () => {
  it("lets a production installation start", () => {
    expect(problemsOf(env, production)).toEqual([]);
  });
  it("lets a development installation start with everything production refuses", () => {
    expect(problemsOf({ ...secrets, DEV_LOGIN: "1", RATE_LIMITS: "off" }, development)).toEqual([]);
  });

  const refused: [name: string, env: Environment, deployment: Deployment, says: RegExp][] = [
    [
      "newcomers O6: no DATABASE_URL",
      { ...env, DATABASE_URL: undefined },
      production,
      /DATABASE_URL must name the database/,
    ],
    [
      "newcomers O6: an empty DATABASE_URL",
      { ...env, DATABASE_URL: "" },
      production,
      /DATABASE_URL must name the database/,
    ],
    ["DEV_LOGIN", { ...env, DEV_LOGIN: "1" }, production, /DEV_LOGIN/],
    ["RATE_LIMITS=off", { ...env, RATE_LIMITS: "off" }, production, /RATE_LIMITS/],
    ["development setup data", env, { ...production, srs: development.srs }, /setup data/],
    ["a development issuer", env, { ...production, issuers: development.issuers }, /issuer http/],
    [
      "a description for development",
      env,
      { ...production, mode: "development" },
      /description is for development/,
    ],
    ["sessions over http", env, { ...production, services: development.services }, /appUrl must be https/],
    ["no SESSION_SECRET", { ...env, SESSION_SECRET: undefined }, production, /SESSION_SECRET/],
    ["a short SESSION_SECRET", { ...env, SESSION_SECRET: "s".repeat(31) }, production, /SESSION_SECRET/],
    ["no USER_ID_SECRET", { ...env, USER_ID_SECRET: "" }, production, /USER_ID_SECRET/],
    [
      "a well-known RECORD_KEY",
      { ...env, RECORD_KEY: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80" },
      production,
      /RECORD_KEY is a development key/,
    ],
    ["equal secrets", { ...env, USER_ID_SECRET: secrets.SESSION_SECRET }, production, /must differ/],
    ["development mode with a production description", secrets, production, /description is for production/],
  ];
  it.each(refused)("refuses %s", (_, given, deployment, says) => {
    expect(problemsOf(given, deployment)).toContainEqual(expect.stringMatching(says));
  });

  it("names every problem at once", () => {
    const problems = problemsOf(
      { PARLEY_MODE: "production", DEV_LOGIN: "1", TRUST_PROXY: "yes" },
      development,
    );
    const named = ["DEV_LOGIN", "TRUST_PROXY", "setup data", "issuer", "SESSION_SECRET", "USER_ID_SECRET"];
    for (const name of named) expect(problems).toContainEqual(expect.stringContaining(name));
  });
});

describe("readConfig", () => {
  const none = () => undefined;
  it("takes secrets from the environment, else in development from the file the stack writes", () => {
    expect(readConfig(secrets, none).sessionSecrets).toEqual([
      new TextEncoder().encode(secrets.SESSION_SECRET),
    ]);
    expect(readConfig({}, () => secrets).userIdSecret).toEqual(
      new TextEncoder().encode(secrets.USER_ID_SECRET),
    );
    expect(() => readConfig({}, none)).toThrow(/\.parley\/secrets\.json/);
    expect(() => readConfig({ PARLEY_MODE: "production" }, () => secrets)).toThrow(/set SESSION_SECRET/);
    expect(() => readConfig({ ...secrets, SESSION_SECRET: "short" }, none)).toThrow(/at least 32 bytes/);
  });
  it("newcomers O6: the embedded database lies in PARLEY_HOME", () => {
    const none = () => undefined;
    expect(readConfig({ ...secrets, PARLEY_HOME: "/srv/parley" }, none).databaseUrl).toBe(
      "pglite:/srv/parley/app-db",
    );
    expect(readConfig(secrets, none).databaseUrl).toBe(`pglite:${path.resolve(".parley/app-db")}`);
  });

  it("never has development doors open in production", () => {
    const given = { ...env, DEV_LOGIN: "1", RATE_LIMITS: "off" };
    expect(readConfig(given, none)).toMatchObject({ devLogin: false, rateLimits: true });
    expect(readConfig({ ...given, PARLEY_MODE: "development" }, none)).toMatchObject({
      devLogin: true,
      rateLimits: false,
    });
  });
  it("refuses what it does not understand", () => {
    expect(() => readConfig({ ...secrets, PARLEY_MODE: "prod" }, none)).toThrow(SettingsError);
    expect(() => readConfig({ ...secrets, TRUST_PROXY: "yes" }, none)).toThrow(SettingsError);
  });
});
