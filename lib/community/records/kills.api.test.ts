import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "@/db/client";
import { type SenderStep, senderSteps } from "@/lib/chain/sender";
import { contract } from "@/lib/contract";
import { bundleProgram } from "@/lib/testing/bundle";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { type RecordWorld, startRecordWorld } from "@/lib/testing/records";
import { memoryDatabase } from "@/lib/testing/template";
import { sweepRecords } from "./settle";
import { numbersOf, oldPost, recordsOf, recordTopic } from "./testing";

const program = fileURLToPath(new URL("../../testing/record-child.ts", import.meta.url));

/**
 * A process of the app is killed at every step of a record; the next one on the same database finishes what it left.
 * Whatever the step: one event for one record, or none and everything free, and no number of the wallet left out.
 */
describe("a process that is killed while it records", () => {
  let folder: string;
  let bundle: string;
  let world: RecordWorld;
  let member: TestUser;
  let author: TestUser;
  let post: { id: string };
  let next: { id: string };
  const children = new Set<ChildProcess>();
  /** Loading takes the longest, so it runs while the previous process works. */
  let spare: ReturnType<typeof load>;

  const at = (name: string) => path.join(folder, name);
  const open = (name: string) => openDatabase({ url: `pglite:${at(name)}`, migrate: false });

  beforeAll(async () => {
    [folder, world] = await Promise.all([
      mkdtemp(path.join(os.tmpdir(), "parley-kills-")),
      startRecordWorld(),
    ]);
    bundle = await bundleProgram(program, folder);
    spare = load();
    const memory = await memoryDatabase();
    const contents = await memory.pglite?.dumpDataDir("none");
    await memory.close();
    const database = await openDatabase({
      url: `pglite:${at("template")}`,
      template: contents,
      migrate: false,
    });
    const h = await createHarness({ database });
    const topic = await recordTopic(h, 1);
    [member = expect.fail()] = topic.people;
    author = topic.author;
    post = await oldPost(h, topic);
    next = await oldPost(h, topic);
    await h.close();
  }, 60_000);
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await world.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A process that has loaded the API and waits for commands. */
  function load() {
    const child = spawn(process.execPath, ["--liftoff-only", bundle], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { NODE_ENV: "test", LOG_LEVEL: "silent", PATH: process.env.PATH, HOME: process.env.HOME },
    });
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  }

  /** Lets a process of its own record the post and die. @returns what it said before */
  async function recordAndDie(database: string, key: string, dieAt: SenderStep): Promise<string> {
    const child = spare;
    spare = load();
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const ended = once(child, "exit");
    const { rpcUrl } = world.chain.anvil;
    const told = { databaseUrl: `pglite:${at(database)}`, rpcUrl, board: world.board, key, dieAt };
    child.stdin.write(`${JSON.stringify({ ...told, postId: post.id, token: member.token })}\n`);
    const [, signal] = await ended;
    return `${said}${signal}`;
  }

  async function standing(h: Harness, address: `0x${string}`) {
    const { rows, used } = await recordsOf(h, member.userId);
    const { recordCount } = await h.guest.call(contract.records.list, { postId: post.id });
    const events = await world.events(address);
    return { statuses: rows.map(({ status }) => status), used, recordCount, events: events.length };
  }

  it.each(senderSteps)("at “%s”", async (step) => {
    await cp(at("template"), at(step), { recursive: true });
    const { key, address } = await world.wallet();
    expect(await recordAndDie(step, key, step)).toBe("SIGKILL");

    const h = await createHarness({ ...world.options(key), database: await open(step) });
    const left = await standing(h, address);
    const written = step !== "signed";
    expect(left).toMatchObject({
      statuses: written ? ["sent"] : [],
      used: written ? 1 : 0,
      recordCount: 0,
      events: written && step !== "journaled" ? 1 : 0,
    });

    await sweepRecords(h.services);
    // A node reports a transaction before it mines it.
    await world.control.mine({ blocks: 1 });
    await sweepRecords(h.services);
    const one = { statuses: ["confirmed"], used: 1, recordCount: 1, events: 1 };
    const none = { statuses: [], used: 0, recordCount: 0, events: 0 };
    expect(await standing(h, address)).toEqual(written ? one : none);
    const told = await h.db.selectFrom("notifications").select("user_id").execute();
    expect(told).toEqual(written ? [{ user_id: author.userId }] : []);

    // The same request again, and the next one.
    const again = await h.send("POST", `/api/posts/${post.id}/record`, { token: member.token });
    expect(again.status).toBe(written ? 403 : 200);
    expect(await standing(h, address)).toEqual(one);
    const after = await h.send("POST", `/api/posts/${next.id}/record`, { token: member.token });
    expect(after).toMatchObject({ status: 200, body: { record: { status: "confirmed" } } });
    expect(await numbersOf(h, address)).toEqual([0, 1]);
    await h.close();
  });
});
