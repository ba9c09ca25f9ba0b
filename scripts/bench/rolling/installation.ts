import type { ChildProcess } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { openDatabase } from "@/db/client";
import { startStack } from "@/prover/testing/stack";
import { assembleApp } from "../../dist/app";
import { appHome, endProgram, untilOk } from "../../live/app-process";
import { proverFolder, startProverFolder } from "../../live/prover-folder";
import { Children } from "../../stack/children";
import { ensureNextBuild } from "../../stack/next-build";
import { freePort } from "../../stack/ports";
import { homePaths } from "../../stack/settings";
import { seed } from "../api/seed";
import type { About } from "../report";
import { type Closers, startBackEnds } from "../stage";
import { startProxy } from "./proxy";

const POSTS = 1_000;
/** Processes in front of the proxy whose headers count. */
const PROXIES = "1";
const packageSchema = z.looseObject({ version: z.string() });

/** One of the four processes. */
interface Replaceable {
  readonly name: string;
  /** Stops it, and starts the next release in its place. Resolves when that is ready. */
  replace(): Promise<void>;
}

/** The folders of a release. */
interface Release {
  readonly app: string;
  readonly prover: string;
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

/**
 * Starts an installation: PostgreSQL, Redis, two local chains, an identity provider, a facilitator, two processes of the
 * app and two of the prover from the folders that the builds write, and nginx in front of them.
 * @param closers gets what ends it all, in reverse order
 */
export async function startInstallation(closers: Closers, about: About) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-rolling-"));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const { postgres, redis } = await startBackEnds(closers, about);
  const ports = {
    app: [await freePort(), await freePort()],
    prover: [await freePort(), await freePort()],
  } as const;
  const proxy = await startProxy(folder, ports);
  closers.push(() => proxy.stop());

  const stack = await startStack();
  closers.push(() => stack.close());
  // Its prover has a database of its own; those of this bench share one.
  await stack.prover.server.close();
  const { appUrl, proverUrl } = proxy;
  const deployment = {
    ...stack.deployment,
    services: { ...stack.deployment.services, appUrl, proverUrl },
  };
  const home = await appHome(deployment);
  closers.push(() => rm(home.settings.home, { recursive: true, force: true }));
  const [first, next] = await releases(folder, homePaths(home.settings.home).logs);

  const urls = {
    app: await postgres.createDatabase("app"),
    prover: await postgres.createDatabase("prover"),
  };
  const database = await openDatabase({ url: urls.app });
  closers.push(() => database.close());
  const members = await seed(database.db, home.tokens, POSTS);
  const description = path.join(folder, "deployment.json");
  await writeFile(description, JSON.stringify(deployment));

  const startApp = async (release: Release, port: number) => {
    const app = await home.start(
      { DATABASE_URL: urls.app, CACHE_URL: redis.url, TRUST_PROXY: PROXIES },
      "entry",
      release.app,
      port,
    );
    return () => app.kill("SIGTERM");
  };
  const startProver = async (release: Release, port: number) => {
    const variables = {
      ...{ PARLEY_DEPLOYMENT: description, PARLEY_HOME: folder, LOG_LEVEL: "warn" },
      ...{ PROVER_PORT: String(port), PROVER_DATABASE_URL: urls.prover, PROVER_SECRET: "07".repeat(32) },
      ...{ PROVER_SETTLEMENT_KEY: stack.settlementKey, PROVER_TRUSTED_PROXIES: PROXIES },
      PROVER_BB_PROCESSES: "1",
    };
    const child: ChildProcess = startProverFolder(release.prover, variables, process.stderr.fd);
    await untilOk(child, `http://127.0.0.1:${port}/health/ready`);
    return () => endProgram(child, "SIGTERM");
  };
  const processes: Replaceable[] = [];
  for (const [name, start, port] of [
    ["first process of the app", startApp, ports.app[0]],
    ["second process of the app", startApp, ports.app[1]],
    ["first prover", startProver, ports.prover[0]],
    ["second prover", startProver, ports.prover[1]],
  ] as const) {
    let stop = await start(first, port);
    closers.push(() => stop());
    processes.push({
      name,
      async replace() {
        await stop();
        stop = await start(next, port);
      },
    });
  }
  return { appUrl, urls, deployment, stack, database, members, processes };
}

/** Builds the folders of app and prover, and copies them as those of a next release with another version. */
async function releases(folder: string, logs: string): Promise<[Release, Release]> {
  const children = new Children(logs, () => {});
  await ensureNextBuild(children);
  await children.stop();
  const release = (name: string) => ({
    app: path.join(folder, `app-${name}`),
    prover: path.join(folder, `prover-${name}`),
  });
  const [first, next] = [release("first"), release("next")];
  await assembleApp(first.app);
  await proverFolder(first.prover);
  for (const program of ["app", "prover"] as const) {
    await cp(first[program], next[program], { recursive: true, verbatimSymlinks: true });
    const file = path.join(next[program], "package.json");
    const { version, ...rest } = packageSchema.parse(JSON.parse(await readFile(file, "utf8")));
    await writeFile(file, JSON.stringify({ ...rest, version: `${version}-next` }));
  }
  return [first, next];
}
