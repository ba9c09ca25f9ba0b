import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ChildError, Children } from "./children";

let dir: string;
let children: Children;
let deaths: ChildError[];

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "parley-children-"));
  deaths = [];
  children = new Children(path.join(dir, "logs"), (error) => deaths.push(error));
});
afterEach(async () => {
  await children.stop();
  await rm(dir, { recursive: true, force: true });
});

const node = (script: string) => ({ command: process.execPath, args: ["-e", script], env: process.env });

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // An orphan that exited stays a zombie until PID 1 of the machine or container reaps it.
    const stat = process.platform === "linux" ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z";
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("timed out");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("children", () => {
  it("that die while starting are reported with the end of their log", async () => {
    const start = children.start({
      name: "doomed",
      ...node("console.error('no such table'); process.exit(3)"),
      ready: async () => false,
    });
    await expect(start).rejects.toThrow(/doomed ended at once \(3\)[\s\S]*doomed \| no such table/);
  });

  it("that die later are reported once", async () => {
    await children.start({
      name: "mortal",
      ...node("setTimeout(() => process.exit(7), 200)"),
      ready: async () => true,
    });
    await until(() => deaths.length > 0);
    expect(deaths[0]?.message).toContain("mortal ended unexpectedly (7)");
    expect(deaths).toHaveLength(1);
  });

  it("stop together with their own children, which is not reported as a death", async () => {
    const pidFile = path.join(dir, "grandchild");
    const script = `
      const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      require("node:fs").writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
      setInterval(() => {}, 1000);`;
    const readPid = async () => Number(await readFile(pidFile, "utf8").catch(() => "0"));
    await children.start({ name: "parent", ...node(script), ready: async () => (await readPid()) > 0 });
    const pid = await readPid();
    expect(alive(pid)).toBe(true);
    await children.stop();
    await until(() => !alive(pid));
    expect(deaths).toEqual([]);
  });

  it("end with the process that started them, even if it is killed", async () => {
    const pidFile = path.join(dir, "orphan");
    const program = path.join(dir, "stack.mts");
    await writeFile(
      program,
      `import { Children } from ${JSON.stringify(path.join(import.meta.dirname, "children.ts"))};
       import { readFileSync } from "node:fs";
       const children = new Children(${JSON.stringify(path.join(dir, "logs2"))}, () => {});
       await children.start({ name: "orphan", command: process.execPath, env: process.env,
         args: ["-e", "require('node:fs').writeFileSync(${JSON.stringify(pidFile).replaceAll('"', "'")}, String(process.pid)); setInterval(() => {}, 1000)"],
         ready: async () => readFileSync(${JSON.stringify(pidFile)}, "utf8").length > 0 });
       setTimeout(() => process.kill(process.pid, "SIGKILL"), 1000);`,
    );
    await children
      .run({ name: "stack", command: process.execPath, args: ["--import", "tsx", program], env: process.env })
      .catch(() => {});
    const pid = Number(await readFile(pidFile, "utf8"));
    await until(() => !alive(pid));
  });

  it("are not started once the stack is stopping", async () => {
    children.expectEnd();
    await expect(children.start({ name: "late", ...node("") })).rejects.toThrow(ChildError);
  });
});
