import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDeployment } from "@/lib/testing/deployment";
import { freePort } from "@/scripts/stack/ports";
import { ROOT } from "@/scripts/stack/settings";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "parley-commands-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** What an operator sets, and nothing that a program sets itself. */
function settings(port: number) {
  const { PATH, HOME, TMPDIR, PARLEY_CACHE, XDG_CACHE_HOME } = process.env;
  const base = testDeployment();
  const deployment = { ...base, services: { ...base.services, appUrl: `http://127.0.0.1:${port}` } };
  return {
    ...{ PATH, HOME, TMPDIR, PARLEY_CACHE, XDG_CACHE_HOME },
    ...{ PARLEY_HOME: home, PARLEY_DEPLOYMENT: JSON.stringify(deployment) },
    ...{ SESSION_SECRET: "s".repeat(32), USER_ID_SECRET: "u".repeat(32) },
    // The app sets it to production.
    NODE_ENV: "development" as const,
    ...{ PORT: String(port), FACILITATOR_PORT: String(port), FACILITATOR_KEY: generatePrivateKey() },
  };
}

/** Runs `npm run -s <name>` until it says that it listens. */
async function start(name: string, env: ReturnType<typeof settings>) {
  const child = spawn("npm", ["run", "-s", name], { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  const listening = new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      lines.push(line);
      if (line.includes('"msg":"listening"')) resolve();
    });
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}: ${lines.join("\n")}`)));
  });
  await listening;
  return { child, lines };
}

async function stopped(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

it.each([
  ["start:app", "/api/health"],
  ["start:facilitator", "/supported"],
])("npm run %s needs no more than its settings, logs JSON lines, and ends with npm", async (name, health) => {
  const port = await freePort();
  const { child, lines } = await start(name, settings(port));
  expect((await fetch(`http://127.0.0.1:${port}${health}`)).status).toBe(200);
  await stopped(child);
  expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => "object"));
  await expect(fetch(`http://127.0.0.1:${port}${health}`)).rejects.toThrow("fetch failed");
});

it("npm run migrate migrates both databases, and doctor names what does not answer", async () => {
  const run = promisify(execFile);
  const env = { ...settings(1), PARLEY_HOME: path.join(home, "other") };
  const { stdout } = await run("npm", ["run", "-s", "migrate"], { cwd: ROOT, env });
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const migrated = lines.filter(({ msg }) => msg === "migrated");
  expect(migrated).toMatchObject(["app", "prover"].map((program) => ({ program })));
  const first = { program: "community", migration: "001_create_identities", kind: "expand" };
  expect(lines).toContainEqual(expect.objectContaining(first));
  const failed: unknown = await run("npm", ["run", "-s", "doctor", "--", "app"], { cwd: ROOT, env }).catch(
    (error: unknown) => error,
  );
  expect(failed).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("FAULT    chain 8453: the node of rpcUrl"),
  });
});
