import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ChildError, Children } from "./children";
import { borrowApp, lendApp } from "./lend";
import { freePort } from "./ports";

let home: string;
let port: number;
let children: Children;
let endLoan: () => void;
let deaths: ChildError[];
let notes: string[];

/** A program that holds a port, like the app, and identifies itself. */
const program = (said: string) => ({
  name: "app",
  command: process.execPath,
  args: ["-e", `require("http").createServer((_, to) => to.end("${said}")).listen(${port}, "127.0.0.1")`],
  env: { ...process.env, PORT: String(port) },
});
const said = () =>
  fetch(`http://127.0.0.1:${port}`).then(
    (response) => response.text(),
    () => null,
  );
const own = () => ({ ...program("own"), ready: async () => (await said()) === "own" });

beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "parley-lend-"));
  port = await freePort();
  deaths = [];
  notes = [];
  children = new Children(path.join(home, "logs"), (error) => deaths.push(error));
  await children.start(own());
  endLoan = await lendApp({
    ...{ home, children, own: own(), lent: program("lent") },
    note: (text) => notes.push(text),
    onDeath: (error) => deaths.push(error),
  });
});
afterEach(async () => {
  endLoan();
  await children.stop();
  await rm(home, { recursive: true, force: true });
});

it("a borrower takes over the app, and the stack runs it again afterwards", async () => {
  const { program: lent, giveBack } = await borrowApp(home);
  expect(await said()).toBeNull();
  expect(lent.args).toEqual(program("lent").args);
  expect(lent.env.PORT).toBe(String(port));
  await expect(borrowApp(home)).rejects.toThrow("Another npm run dev -- --app");
  giveBack();
  await vi.waitFor(() => expect(notes.at(-1)).toContain("again"), 10_000);
  expect(await said()).toBe("own");
  expect(deaths).toEqual([]);
});

it("the stack waits for a port that a killed borrower's app still holds", async () => {
  const { program: lent, giveBack } = await borrowApp(home);
  const others = new Children(path.join(home, "others"), () => {});
  await others.start({ name: "app", ...lent, ready: async () => (await said()) === "lent" });
  giveBack();
  // The first try fails on the taken port.
  await vi.waitFor(async () => expect(children.logTail("app")).toContain("EADDRINUSE"), 10_000);
  await others.stop();
  await vi.waitFor(async () => expect(await said()).toBe("own"), 10_000);
  expect(deaths).toEqual([]);
});

it("a borrower learns that the stack has stopped", async () => {
  const { ended } = await borrowApp(home);
  endLoan();
  await ended;
});

it("without a running stack the error says how to start one", async () => {
  endLoan();
  await expect(borrowApp(home)).rejects.toThrow(/No development stack is running on .*npm start/);
  await expect(borrowApp(path.join(home, "nothing"))).rejects.toThrow("No development stack");
});
