import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { answers, Children } from "../../stack/children";
import { nextCommand } from "../../stack/next-build";
import { freePort } from "../../stack/ports";
import { ROOT } from "../../stack/settings";
import type { BareSetup } from "./bare-main";

/** A server that ours is compared with. */
export interface Compared {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts the bare server with `pg` in a process of its own. */
export async function startBare(setup: BareSetup): Promise<Compared> {
  const child = fork(path.join(import.meta.dirname, "bare-main.ts"), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  child.send(setup);
  const [message] = await once(child, "message");
  return { port: z.object({ port: z.int() }).parse(message).port, close: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** A Next app with one route handler for each of `bodies`: /<name> responds with those bytes, whatever is asked. */
const HANDLER = `
import { readFileSync } from "node:fs";
const bodies = new Map(Object.entries(JSON.parse(readFileSync(process.env.BODIES_FILE, "utf8"))));
async function answer(request, { params }) {
  const { name } = await params;
  if (request.method === "POST") await request.json();
  const { status, text } = bodies.get(name);
  return new Response(text, { status, headers: { "content-type": "application/json; charset=utf-8" } });
}
export { answer as GET, answer as POST };
`;

/** A built bare Next app; building it takes a while, so it serves several sets of bodies. */
export type BareNext = Awaited<ReturnType<typeof buildBareNext>>;

/** Builds the bare Next app in a temporary folder, with the Next of this repository. */
export async function buildBareNext() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-bare-next-"));
  const route = path.join(folder, "app", "[name]");
  await mkdir(route, { recursive: true });
  await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(route, "route.js"), HANDLER);
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  const children = new Children(path.join(folder, "logs"), () => {});
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    NEXT_TELEMETRY_DISABLED: "1",
    BODIES_FILE: "/dev/null",
  };
  const build = nextCommand("build", folder, "--webpack");
  await children.run({ name: "bare-next", ...build, env });
  return {
    /** Starts it. @param bodies by name, with the status they have */
    async start(bodies: Readonly<Record<string, { status: number; text: string }>>): Promise<Compared> {
      const file = path.join(folder, "bodies.json");
      await writeFile(file, JSON.stringify(bodies));
      const port = await freePort();
      const { command, args } = nextCommand("start", folder, "-p", String(port), "-H", "127.0.0.1");
      const child = spawn(command, args, {
        env: { ...env, BODIES_FILE: file },
        stdio: ["ignore", "ignore", "inherit"],
      });
      while (!(await answers(`http://127.0.0.1:${port}/${Object.keys(bodies)[0]}`))) {
        if (child.exitCode !== null) throw new Error(`the bare Next app ended with ${child.exitCode}`);
      }
      return { port, close: () => end(child) };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
