import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { type LogEntry, logActions } from "@/lib/contract/moderation";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { portOf } from "@/lib/testing/port";
import { addTo, clientWith, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { passOrphanedTopics } from "../topics/succession";
import { entryHash, verifyLog } from "./chain";

/** The staff's log: its entries, its readers, and that it reveals later changes. */
let h: Harness;
let owner: TestUser;
let admin: TestUser;
let member: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  admin = await signIn(h, "admin");
  member = await signIn(h, "member");
  topicId = (await makeTopic(owner, "private")).id;
  await addTo(h.db, topicId, admin, "admin");
  await addTo(h.db, topicId, member);
  await everyAct();
});
afterAll(() => h.close());

/** Every kind of action, by users who may do it. */
async function everyAct() {
  const sanction = (kind: "mute" | "ban", hide?: "day") =>
    admin.api.call(contract.moderation.sanction, {
      topicId,
      userId: member.userId,
      kind,
      hide,
      reason: "Grund: „ä“ \n",
    });
  const lift = (kind: "mute" | "ban") =>
    admin.api.call(contract.moderation.lift, { topicId, userId: member.userId, kind });
  await owner.api.call(contract.topics.update, { topicId, title: "New", description: null });
  await owner.api.call(contract.topics.renewInviteCode, { topicId });
  for (const action of ["approve", "reject"] as const) {
    const asker = await signIn(h);
    await asker.api.call(contract.topics.join, { topicId });
    const [request] = (await owner.api.call(contract.requests.list, { topicId })).requests;
    await admin.api.call(contract.requests.decide, { topicId, requestId: request?.id ?? "", action });
    if (action === "approve") {
      await admin.api.call(contract.members.remove, { topicId, userId: asker.userId, reason: "Spam." });
    }
  }
  await held();
  const post = await makePost(member, topicId);
  const write = { postId: post.id, content: "c" };
  const { comment } = await member.api.call(contract.comments.create, write);
  for (const action of ["dismiss", "resolve"] as const) {
    await owner.api.call(contract.moderation.reportPost, { postId: post.id, reason: "other" });
    const [report] = (await owner.api.call(contract.moderation.reports, { topicId })).reports;
    await admin.api.call(contract.moderation.decideReport, { topicId, reportId: report?.id ?? "", action });
  }
  for (const hidden of [true, false]) {
    await admin.api.call(contract.posts.pin, { postId: post.id });
    await admin.api.call(contract.moderation.hidePost, { postId: post.id, hidden });
    await admin.api.call(contract.moderation.hideComment, { commentId: comment.id, hidden });
    if (hidden) await admin.api.call(contract.moderation.hidePost, { postId: post.id, hidden: false });
  }
  const { message } = await member.api.call(contract.chat.send, { topicId, message: "m" });
  const messageId = message.id;
  for (const hidden of [true, false]) {
    await admin.api.call(contract.moderation.hideMessage, { messageId, hidden });
  }
  await admin.api.call(contract.chat.delete, { messageId, reason: "Spam." });
  const root = await signIn(h, "root");
  const asRoot = clientWith(h, root, { adminUserIds: new Set([root.userId]) });
  await asRoot.call(contract.posts.update, { postId: post.id, title: "Better" });
  await admin.api.call(contract.comments.delete, { commentId: comment.id });
  await admin.api.call(contract.posts.delete, { postId: post.id });
  await makePost(member, topicId);
  await banned();
  const { webhook } = await admin.api.call(contract.webhooks.create, {
    topicId,
    url: "https://hooks.example.org/",
  });
  await admin.api.call(contract.webhooks.delete, { topicId, webhookId: webhook.id });
  await sanction("mute", "day");
  await lift("mute");
  await sanction("ban");
  await lift("ban");
  await owner.api.call(contract.members.setRole, { topicId, userId: admin.userId, role: "member" });
  await owner.api.call(contract.members.setRole, { topicId, userId: admin.userId, role: "owner" });
  // Its owner is suspended: the former owner inherits it.
  const operator = { created_by: owner.userId, created_at: new Date(), reason: "r", until: null };
  const { identity_hash } = await h.db
    .selectFrom("users")
    .select("identity_hash")
    .where("id", "=", admin.userId)
    .executeTakeFirstOrThrow();
  await h.db
    .insertInto("account_sanctions")
    .values({ ...operator, identity_hash: identity_hash ?? "", user_id: admin.userId, kind: "suspend" })
    .execute();
  await passOrphanedTopics(h.services);
  await h.db.deleteFrom("account_sanctions").execute();
}

/** Whoever wrote an anonymous post, banned and admitted again. Its proof is of no matter here. */
async function banned() {
  const { id: postId } = await makePost(member, topicId);
  const zero = `0x${"0".repeat(64)}`;
  const nullifiers = { slot_nullifier: zero, scope_nullifier: zero, signal: zero, tag: zero };
  await h.db
    .insertInto("anonymous_acts")
    .values({
      ...{ topic_id: topicId, post_id: postId, comment_id: null, root: 1, week: 1, ...nullifiers },
      ...{ public_inputs: [], proof: new Uint8Array() },
    })
    .execute();
  const { ban } = await admin.api.call(contract.anonymous.ban, { postId, weeks: 1, reason: "r" });
  await admin.api.call(contract.anonymous.lift, { topicId, banId: ban.id });
}

/** A post, a comment and a message that a review word hides. */
async function held() {
  const { id: postId } = await makePost(member, topicId);
  await owner.api.call(contract.topics.update, { topicId, reviewWords: ["gold"] });
  await makePost(member, topicId, "Gold");
  await member.api.call(contract.comments.create, { postId, content: "Gold." });
  await member.api.call(contract.chat.send, { topicId, message: "Gold!" });
}

async function read(user: TestUser, limit = 100): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await user.api.call(contract.moderation.log, { topicId, limit, cursor });
    entries.push(...page.entries);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return entries;
}
const oldestFirst = async () => (await read(owner)).reverse();

describe("GET 200", () => {
  it("has every act there is, numbered without gaps, latest first", async () => {
    const entries = await read(owner);
    expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(logActions));
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => entries.length - index));
  });

  it("page by page it is the same", async () => {
    const whole = await read(owner);
    for (const limit of [1, 7]) expect(await read(owner, limit)).toEqual(whole);
  });

  it("names people by the nickname they have now, which no hash covers", async () => {
    await owner.api.call(contract.profile.setNickname, { nickname: "renamed" });
    const entries = (await read(admin)).reverse();
    expect(entries[0]).toMatchObject({ actorId: owner.userId, actorNickname: "renamed" });
    expect(verifyLog(topicId, entries)).toBeNull();
    owner = await h.login("renamed");
  });
});

describe("GET 400, 401, 403, 404", () => {
  it("is for members", async () => {
    const outsider = await signIn(h);
    const log = (user: TestUser, id = topicId) => user.api.call(contract.moderation.log, { topicId: id });
    expect(await refusalOf(log(outsider))).toMatchObject({ status: 403, code: "not_a_member" });
    expect(await refusalOf(log(owner, randomUUID()))).toMatchObject({ status: 404, code: "topic_not_found" });
    const route = `/api/topics/${topicId}/log`;
    expect((await h.send("GET", route)).status).toBe(401);
    for (const cursor of ["x", Buffer.from('["log","1"]').toString("base64url")]) {
      const answer = await h.send("GET", `${route}?cursor=${cursor}`, { token: owner.token });
      expect([answer.status, Object(answer.body).field]).toEqual([400, "cursor"]);
    }
  });
});

describe("verifyLog", () => {
  it("finds nothing wrong with the log as it is", async () => {
    const entries = await oldestFirst();
    expect(entries.length).toBeGreaterThan(20);
    expect(verifyLog(topicId, entries)).toBeNull();
    expect(verifyLog(topicId, [])).toBeNull();
  });

  it("shows any field of any entry that was changed, and where", async () => {
    const entries = await oldestFirst();
    const changes: Record<keyof Omit<LogEntry, "actorNickname" | "subjectNickname">, Partial<LogEntry>> = {
      seq: { seq: 99 },
      at: { at: "2020-01-01T00:00:00.000Z" },
      action: { action: "topic_edited" },
      actorId: { actorId: "u_other" },
      subjectId: { subjectId: "u_other" },
      postId: { postId: randomUUID() },
      commentId: { commentId: randomUUID() },
      reason: { reason: "Another." },
      details: { details: { role: "king" } },
      previousHash: { previousHash: "1".repeat(64) },
      hash: { hash: "1".repeat(64) },
    };
    for (const [index, entry] of entries.entries()) {
      for (const change of Object.values(changes)) {
        const changed = { ...entry, ...change };
        if (changed.action === entry.action && "action" in change) continue;
        expect(verifyLog(topicId, entries.with(index, changed)), JSON.stringify(change)).toMatchObject({
          seq: index + 1,
        });
      }
    }
    expect(verifyLog(randomUUID(), entries)).toEqual({ seq: 1, problem: "changed" });
  });

  it("shows an entry changed together with its own hash, by the next one", async () => {
    const entries = await oldestFirst();
    const forged = { ...(entries[3] ?? expect.fail()), reason: "Forged." };
    forged.hash = entryHash({ ...forged, topicId, at: new Date(forged.at) });
    expect(verifyLog(topicId, entries.with(3, forged))).toEqual({
      seq: 5,
      problem: "not chained to the previous entry",
    });
  });

  it("shows any entry removed, put in twice, or changing places; also under new numbers", async () => {
    const entries = await oldestFirst();
    const numbered = (list: LogEntry[]) => list.map((entry, index) => ({ ...entry, seq: index + 1 }));
    for (let index = 0; index < entries.length - 1; index += 1) {
      const here = entries[index] ?? expect.fail();
      const next = entries[index + 1] ?? expect.fail();
      for (const tampered of [
        entries.toSpliced(index, 1),
        entries.toSpliced(index, 0, here),
        entries.toSpliced(index, 2, next, here),
      ]) {
        expect(verifyLog(topicId, tampered)).not.toBeNull();
        expect(verifyLog(topicId, numbered(tampered))).not.toBeNull();
      }
    }
  });

  it("shows missing newest entries, and a rewritten log, to someone who remembers an entry", async () => {
    const entries = await oldestFirst();
    const last = entries.at(-1) ?? expect.fail();
    expect(verifyLog(topicId, entries.slice(1))).toEqual({ seq: 1, problem: "missing or out of order" });
    const cut = entries.slice(0, -1);
    expect(verifyLog(topicId, cut)).toBeNull();
    expect(verifyLog(topicId, cut, last)).toEqual({ seq: last.seq, problem: "missing or out of order" });
    expect(verifyLog(topicId, entries, last)).toBeNull();
    const remembered = { seq: 2, hash: "f".repeat(64) };
    expect(verifyLog(topicId, entries, remembered)).toEqual({ seq: 2, problem: "changed" });
  });
});

/** What docs/moderation.md tells people to run, against the API. */
describe("the script of the documentation", () => {
  const run = promisify(execFile);

  it("accepts the log as it is, and detects a change in the table", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "parley-log-"));
    const server = createServer(async (request, response) => {
      const { authorization } = request.headers;
      const answer = await h.send("GET", request.url ?? "", {
        headers: { authorization: authorization ?? "" },
      });
      response.end(JSON.stringify(answer.body));
    }).listen(0, "127.0.0.1");
    try {
      await new Promise((resolve) => server.once("listening", resolve));
      const port = portOf(server);
      const page = await readFile(path.resolve(import.meta.dirname, "../../../docs/moderation.md"), "utf8");
      const script = /```js\n([\s\S]+?)```/.exec(page)?.[1] ?? expect.fail("the page has no script");
      expect(script.split("\n").filter(Boolean).length).toBeLessThanOrEqual(20);
      const file = path.join(folder, "verify.mjs");
      await writeFile(file, script);
      const check = async (seen?: string) => {
        const env = { BASE_URL: `http://127.0.0.1:${port}`, TOKEN: owner.token, TOPIC: topicId, SEEN: seen };
        return await run(process.execPath, [file], { env: { ...process.env, ...env } }).then(
          ({ stdout }) => stdout.trim(),
          (error: unknown) => /Error: (.+)/.exec(String(Object(error).stderr))?.[1],
        );
      };
      const [last] = await read(owner);
      const newest = `${last?.seq}:${last?.hash}`;
      expect(await check()).toBe(`${last?.seq} entries hold; the newest is ${newest}`);
      expect(await check(newest)).toContain("hold");
      expect(await check(`3:${"0".repeat(64)}`)).toBe("broken at entry 3");
      expect(await check(`999:${"0".repeat(64)}`)).toBe("entries are missing at the end");
      await h.db.updateTable("moderation_log").set({ reason: "x" }).where("seq", "=", 4).execute();
      expect(await check()).toBe("broken at entry 4");
    } finally {
      server.close();
      await rm(folder, { recursive: true });
    }
  });
});
