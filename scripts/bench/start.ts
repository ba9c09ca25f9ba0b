import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT, temporarySettings } from "../stack/settings";
import type { About } from "./report";
import type { Row } from "./row";

const MAX_FIRST_S = 100;
const MAX_SECOND_S = 10;
/** What `npm start` prints once every program answers. */
const READY = "Ready after";

const run = promisify(execFile);

/**
 * Measures `npm start` until everything answers, in a copy of this repository as it is after `npm install`: without data,
 * build and cache. Then again with what the first start left.
 */
export async function* benchStart(about: About): AsyncGenerator<Row[]> {
  // Beside the repository, so that packages are links to its own.
  const folder = await mkdtemp(path.join(path.dirname(ROOT), "parley-start-"));
  try {
    const copy = path.join(folder, "parley");
    await copyRepository(copy);
    about.notes.push(
      "From the command until the summary is printed: all programs answer and the demo community is filled. The first start has no data, no build and no cache; the second has those of the first. `npm install` is not part of it.",
    );
    const env = await environment(folder);
    for (const [name, most] of [
      ["first start after installation", MAX_FIRST_S],
      ["second start", MAX_SECOND_S],
    ] as const) {
      yield [{ name, value: (await start(copy, env)) / 1000, unit: "s", limit: { most } }];
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies the files that git knows, also changed ones, and links the packages. */
async function copyRepository(to: string): Promise<void> {
  await mkdir(to);
  const { stdout } = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  });
  for (const file of stdout.split("\0").filter(Boolean)) {
    await cp(path.join(ROOT, file), path.join(to, file)).catch((error: NodeJS.ErrnoException) => {
      // Deleted, and not committed yet.
      if (error.code !== "ENOENT") throw error;
    });
  }
  await run("cp", ["-al", path.join(ROOT, "node_modules"), to]);
}

/** Returns an environment with ports that are free, and with empty folders for data and cache. */
async function environment(folder: string): Promise<NodeJS.ProcessEnv> {
  const { ports, home } = await temporarySettings();
  await rm(home, { recursive: true });
  const { chains, ...programs } = ports;
  const variables = {
    PORT: programs.app,
    PROVER_PORT: programs.prover,
    FACILITATOR_PORT: programs.facilitator,
    IDP_PORT: programs.idp,
    ATTESTER_PORT: programs.attester,
    GATEWAY_PORT: programs.gateway,
    ...Object.fromEntries(Object.entries(chains).map(([id, port]) => [`CHAIN_PORT_${id}`, port])),
  };
  return {
    ...process.env,
    ...Object.fromEntries(Object.entries(variables).map(([name, port]) => [name, String(port)])),
    PARLEY_HOME: path.join(folder, "home"),
    PARLEY_CACHE: path.join(folder, "cache"),
  };
}

/** Runs `npm start` until it is ready, and stops it. @returns the milliseconds until then */
async function start(cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now();
  const child = spawn("npm", ["start"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  // Also npm's children have ended then: they hold its output.
  const closed = once(child, "close");
  let printed = "";
  const ready = new Promise<number>((resolve) => {
    for (const output of [child.stdout, child.stderr]) {
      output.on("data", (part) => {
        printed = (printed + String(part)).slice(-10_000);
        if (printed.includes(READY)) resolve(performance.now() - started);
      });
    }
  });
  const failed = closed.then(() => {
    throw new Error(`npm start ended before it was ready:\n${printed}`);
  });
  const took = await Promise.race([ready, failed]);
  child.kill("SIGTERM");
  await closed;
  return took;
}
