import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
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

it("npm run backup copies the embedded database of a running app, and npm run restore restores it", async () => {
  const port = await freePort();
  const env = settings(port);
  const { child } = await start("start:app", env);
  const folder = path.join(home, "copy");
  const identity = await generateX25519Identity();
  const keys = path.join(home, "keys");
  await writeFile(keys, `# a comment\n${identity}\n`);
  const run = (name: string, args: readonly string[], environment = env) =>
    promisify(execFile)("npm", ["run", "-s", name, "--", ...args], { cwd: ROOT, env: environment });
  const recipient = await identityToRecipient(identity);
  await run("backup", ["app", "--to", folder, "--recipient", recipient]);
  // The app has its database again.
  expect((await fetch(`http://127.0.0.1:${port}/api/categories`)).status).toBe(200);
  await stopped(child);
  const other = { ...env, PARLEY_HOME: path.join(home, "restored") };
  const { stdout } = await run("restore", ["--from", folder, "--identity", keys], other);
  const lines = stdout.split("\n").filter((line) => /^(ok|DIFF)/.test(line));
  expect(lines).toEqual(
    expect.arrayContaining([expect.stringMatching(/^ok {4}rows of app: \d+ in \d+ tables/)]),
  );
  expect(lines.filter((line) => !line.startsWith("ok  "))).toEqual([]);
  // It starts on what was restored.
  await stopped((await start("start:app", other)).child);
  await expect(run("restore", ["--from", folder, "--identity", keys], other)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("into an empty place only"),
  });
  await expect(run("backup", ["--to", folder])).rejects.toMatchObject({ code: 1 });
  await expect(run("restore", ["--nothing"])).rejects.toMatchObject({ code: 2 });
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
