import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fontFiles } from "@/app/cards/_card/fonts";
import { testDeployment } from "@/lib/testing/deployment";
import { assembleApp } from "@/scripts/dist/app";
import { MAX_FOLDER_BYTES, sizeOnDisk } from "@/scripts/dist/size";
import { ROOT } from "@/scripts/stack/settings";
import { type AppHome, type AppProcess, appHome } from "./app-process";

/** dist/app as an operator copies it: outside the repository, with no node_modules above. */
let folder: string;
let home: AppHome;
let app: AppProcess;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parley-app-"));
  // Next copies the settings that it finds beside the sources.
  const settings = path.join(ROOT, ".next", "standalone", ".env.production");
  await writeFile(settings, "SESSION_SECRET=of the machine that builds");
  await assembleApp(folder);
  await rm(settings);
  home = await appHome();
  app = await home.start({}, "entry", folder);
});
afterAll(async () => {
  await app?.kill("SIGKILL");
  await Promise.all([folder, home.settings.home].map((each) => rm(each, { recursive: true, force: true })));
});

it("structure 4: the app folder runs by itself: API, pages, cards, static files, service worker", async () => {
  const health = await fetch(`${app.url}/api/health`);
  expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ status: "ok" })]);
  const page = await fetch(app.url);
  expect(page.status).toBe(200);
  // Written into the build by next.config.ts, which is not in the folder.
  expect(page.headers.get("x-frame-options")).toBe("DENY");
  expect(page.headers.get("x-powered-by")).toBeNull();
  const [, script = ""] = /src="(\/_next\/static\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  for (const [file, type] of [
    [script, "text/javascript"],
    ["/icons/seal-192.png", "image/png"],
    ["/cards/site", "image/png"],
    ["/worker/sw.js", "application/javascript"],
    ["/gate.js", "application/javascript"],
    ["/.well-known/openid-configuration", "application/json"],
    ["/oidc/jwks", "application/jwk-set+json"],
  ]) {
    const { status, headers } = await fetch(`${app.url}${file}`);
    expect([status, headers.get("content-type")?.split(";")[0]], file).toEqual([200, type]);
  }
});

it("structure 4: the app folder has every package that is not bundled, and every font of a card", async () => {
  const links = path.join(folder, ".next", "node_modules");
  const names = (await readdir(links, { recursive: true })).filter((name) => /-[0-9a-f]{16}$/.test(name));
  expect(names.length).toBeGreaterThan(5);
  const load = `await Promise.all(${JSON.stringify(names)}.map((name) => import(name)))`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", load], {
    cwd: path.dirname(links),
  });
  const fonts = (await fontFiles()).map((file) => path.relative(ROOT, file));
  expect(fonts.length).toBeGreaterThan(100);
  expect(fonts.filter((file) => !existsSync(path.join(folder, file)))).toEqual([]);
});

it("the app folder migrates its database and examines the installation", async () => {
  const own = path.join(home.settings.home, "own");
  const env = {
    ...process.env,
    LOG_LEVEL: "info",
    PARLEY_HOME: own,
    PARLEY_DEPLOYMENT: JSON.stringify(testDeployment()),
  };
  const run = (command: string) =>
    promisify(execFile)(process.execPath, ["index.js", command], { cwd: folder, env });
  expect((await run("migrate")).stdout).toMatch(/"program":"app".*"msg":"migrated"/);
  const failed: unknown = await run("doctor").catch((error: unknown) => error);
  expect(failed).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("chain 8453: the node of rpcUrl"),
  });
});

it("structure 4: the app folder takes 120 MB at most, and holds no settings of the machine that built", async () => {
  expect(await sizeOnDisk(folder)).toBeLessThanOrEqual(MAX_FOLDER_BYTES);
  expect((await readdir(folder)).filter((name) => name.startsWith(".") && name !== ".next")).toEqual([]);
});
