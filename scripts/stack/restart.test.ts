import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answers, type ChildError, Children } from "./children";
import { freePort } from "./ports";
import type { RestartPolicy } from "./restart";

const quick: RestartPolicy = {
  ...{ firstDelayMs: 10, longestDelayMs: 50, times: 3, withinMs: 60_000 },
  ...{ everyMs: 100, stuckMs: 1_000 },
};

let dir: string;
let port: number;
let deaths: ChildError[];
let notes: string[];
let children: Children;
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "parley-restart-"));
  port = await freePort();
  deaths = [];
  notes = [];
  children = new Children(path.join(dir, "logs"), (error) => deaths.push(error), {
    restart: quick,
    note: (text) => notes.push(text),
  });
});
afterEach(async () => {
  await children.stop();
  await rm(dir, { recursive: true, force: true });
});

/** A server that returns its process ID. `/block` blocks its event loop, `/die` ends it, `/busy` makes it return 503. */
const SERVER = `
  let status = 200;
  require("node:http").createServer((request, response) => {
    if (request.url === "/die") process.exit(9);
    if (request.url === "/busy") status = 503;
    if (request.url === "/block") { response.end(); setImmediate(() => { for (;;); }); return; }
    response.writeHead(status).end(String(process.pid));
  }).listen(Number(process.argv[1]), "127.0.0.1", () => console.log("listening"));`;
const url = (what = "") => `http://127.0.0.1:${port}/${what}`;
const server = () => ({
  name: "server",
  command: process.execPath,
  args: ["-e", SERVER, String(port)],
  env: process.env,
  ready: () => answers(url()),
  alive: () => answers(url()),
});
const pid = async () => Number(await (await fetch(url())).text());
/** Returns the process ID of the replacement. */
async function successorOf(before: number): Promise<number> {
  const now = () => pid().catch(() => before);
  await expect.poll(now, { timeout: 20_000 }).not.toBe(before);
  return await now();
}

describe("security F1: a program of the stack", () => {
  it("whose event loop is stuck is killed and restarted", async () => {
    await children.start(server());
    const before = await pid();
    await fetch(url("block"));
    const after = await successorOf(before);
    expect(() => process.kill(before, 0), "the old one is gone").toThrow();
    await expect
      .poll(() => notes.join("\n"))
      .toMatch(/server has not answered for 1 s: ending it\.[\s\S]*server runs again/);
    // The replacement is watched too.
    await fetch(url("block"));
    await successorOf(after);
    expect(deaths).toEqual([]);
  });

  it("that returns errors has a running event loop and is not restarted", async () => {
    await children.start(server());
    const before = await pid();
    await fetch(url("busy"));
    await expect.poll(() => fetch(url()).then(({ status }) => status)).toBe(503);
    await new Promise((resolve) => setTimeout(resolve, 2 * quick.stuckMs));
    expect(await pid()).toBe(before);
    expect(notes).toEqual([]);
  });

  it("that dies is restarted, and keeps its log", async () => {
    await children.start(server());
    const before = await pid();
    await fetch(url("die")).catch(() => undefined);
    await successorOf(before);
    await expect.poll(() => notes.at(-1)).toBe("server runs again.");
    expect(notes[0]).toContain("server ended unexpectedly (9)");
    const log = await readFile(path.join(dir, "logs", "server.log"), "utf8");
    expect(log.match(/listening/g)).toHaveLength(2);
    expect(deaths).toEqual([]);
  });

  it("that keeps dying is reported once, with the end of its log", async () => {
    const script = "console.error('no such table'); setTimeout(() => process.exit(7), 50)";
    await children.start({ ...server(), args: ["-e", script], ready: async () => true });
    await expect.poll(() => deaths.length, { timeout: 20_000 }).toBe(1);
    expect(deaths[0]?.message).toMatch(/server ended unexpectedly \(7\)[\s\S]*server \| no such table/);
    expect(notes.filter((text) => text === "server runs again.")).toHaveLength(quick.times);
  });
});

it("newcomers O5: a start appends to the existing logs", async () => {
  const folder = path.join(dir, "logs");
  const log = () => readFile(path.join(folder, "migration.log"), "utf8");
  const first = new Children(folder, () => {});
  await first.run({ name: "migration", command: "/bin/echo", args: ["why it died"], env: process.env });
  await first.stop();
  await expect.poll(log).toMatch(/why it died\n/);
  const second = new Children(folder, () => {});
  await second.run({ name: "migration", command: "/bin/echo", args: ["again"], env: process.env });
  await second.stop();
  await expect.poll(log).toMatch(/why it died\n[\s\S]*again\n/);
});

it("a log has what arrives after a program's exit", async () => {
  const folder = path.join(dir, "logs");
  const children = new Children(folder, () => {});
  const args = ["-c", "(sleep 0.3; echo late) & exit 0"];
  await children.run({ name: "parent", command: "/bin/sh", args, env: process.env });
  await children.stop();
  await expect.poll(() => readFile(path.join(folder, "parent.log"), "utf8")).toMatch(/late\n$/);
});

it("newcomers O5: in production output goes to the standard output, and no file is written", async () => {
  const { PassThrough } = await import("node:stream");
  const output = new PassThrough();
  const said: string[] = [];
  output.on("data", (data: Buffer) => said.push(data.toString()));
  const production = new Children(path.join(dir, "none"), () => {}, { output });
  await production.run({ name: "app", command: "/bin/echo", args: ["served"], env: process.env });
  await production.stop();
  await expect.poll(() => said.join("")).toContain("served");
  await writeFile(path.join(dir, "none"), "still free");
});
