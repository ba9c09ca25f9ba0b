import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { answers, Children } from "../../stack/children";
import { nextCommand } from "../../stack/next-build";
import { freePort } from "../../stack/ports";
import { ROOT } from "../../stack/settings";
import { type Compared, end } from "./bare";

/** The route handler: responds to /<name> with the bytes that `file` has for it, whatever is asked. */
const handlerOf = (file: string) => `
import { readFileSync } from "node:fs";
let bodies;
async function answer(request, { params }) {
  const { name } = await params;
  if (request.method === "POST") await request.json();
  bodies ??= JSON.parse(readFileSync(${JSON.stringify(file)}, "utf8"));
  const { status, text } = bodies[name];
  return new Response(text, { status, headers: { "content-type": "application/json; charset=utf-8" } });
}
export { answer as GET, answer as POST };
`;

export type BareNext = Awaited<ReturnType<typeof bareNext>>;

/** Returns an empty Next app with one route handler, in a temporary folder, for the Next of this repository. */
export async function bareNext() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-bare-next-"));
  const file = path.join(folder, "bodies.json");
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  return {
    async build(): Promise<void> {
      const route = path.join(folder, "app", "[name]");
      await mkdir(route, { recursive: true });
      await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
      await writeFile(path.join(route, "route.js"), handlerOf(file));
      await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
      const children = new Children(path.join(folder, "logs"), () => {});
      // Turbopack refuses packages outside of the folder.
      await children.run({ name: "bare-next", ...nextCommand("build", folder, "--webpack"), env });
      await children.stop();
    },
    /** Starts the built app. @param bodies by name, with the status they have */
    async start(bodies: Readonly<Record<string, { status: number; text: string }>>): Promise<Compared> {
      await writeFile(file, JSON.stringify(bodies));
      const port = await freePort();
      const { command, args } = nextCommand("start", folder, "-p", String(port), "-H", "127.0.0.1");
      const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "inherit"] });
      const [name] = Object.keys(bodies);
      while (!(await answers(`http://127.0.0.1:${port}/${name}`).catch(() => false))) {
        if (child.exitCode !== null) throw new Error(`the bare Next app ended with ${child.exitCode}`);
        await sleep(100);
      }
      return { port, close: () => end(child) };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
