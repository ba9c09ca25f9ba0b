import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { type Delivery, delivery } from "@/lib/contract/webhooks";
import { publicWeb } from "@/lib/preview/web";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { portOf } from "@/lib/testing/port";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { forgetTopicEvents, sendWebhooks } from "./send";

interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly delivery: Delivery;
}

/** A receiver on this machine, by path. What it answers can be chosen; it keeps what came. */
let receiver: http.Server;
let answer: (path: string) => { status: number; headers?: Record<string, string> };
let received: Map<string, Received[]>;
/** The receiver answers once this is done. */
let held: Promise<void> = Promise.resolve();
let h: Harness;
let clock = Date.UTC(2026, 10, 29, 12);
let next = 0;

beforeAll(async () => {
  received = new Map();
  answer = () => ({ status: 204 });
  receiver = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const path = request.url ?? "";
    const { status, headers } = answer(path);
    const parsed = { headers: request.headers, body, delivery: delivery.parse(JSON.parse(body)) };
    received.set(path, [...(received.get(path) ?? []), parsed]);
    await held;
    response.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const web = publicWeb({ ports: [portOf(receiver)], allows: (address) => address === "127.0.0.1" });
  h = await createHarness({ web, now: () => new Date(clock) });
});
afterAll(async () => {
  await h.close();
  receiver.close();
});

/** A topic with a webhook. */
async function hooked(events?: Parameters<typeof makeHook>[1]["events"]) {
  const owner = await signIn(h);
  const { id: topicId } = await makeTopic(owner);
  return { owner, topicId, ...(await makeHook(owner, { topicId, events })) };
}

async function makeHook(
  owner: TestUser,
  asked: { readonly topicId: string; readonly events?: Delivery["events"][number]["kind"][] | undefined },
) {
  next += 1;
  const path = `/${next}`;
  const url = `http://127.0.0.1:${portOf(receiver)}${path}`;
  const made = await owner.api.call(contract.webhooks.create, { ...asked, url });
  const came = () => received.get(path) ?? [];
  return {
    ...made,
    path,
    came,
    kinds: () => came().flatMap((one) => one.delivery.events.map(({ kind }) => kind)),
  };
}

const send = () => sendWebhooks(h.services);
const hookOf = async (owner: TestUser, topicId: string) =>
  (await owner.api.call(contract.webhooks.list, { topicId })).webhooks[0];

describe("what a webhook sends", () => {
  it("is signed, ordered without gaps, and has ids but no texts", async () => {
    const { owner, topicId, secret, webhook, came } = await hooked();
    const member = await signIn(h);
    await member.api.call(contract.topics.join, { topicId });
    const post = await makePost(owner, topicId, "A title nobody sends", "<p>Nor this.</p>");
    const { comment } = await member.api.call(contract.comments.create, {
      postId: post.id,
      content: "A comment.",
    });
    await member.api.call(contract.comments.update, { commentId: comment.id, content: "Changed." });
    const { message } = await member.api.call(contract.chat.send, { topicId, message: "A message." });
    await owner.api.call(contract.moderation.hidePost, { postId: post.id, hidden: true });
    await owner.api.call(contract.moderation.hidePost, { postId: post.id, hidden: false });
    await member.api.call(contract.comments.delete, { commentId: comment.id });
    await member.api.call(contract.chat.delete, { messageId: message.id });
    await member.api.call(contract.topics.leave, { topicId });
    // What changes no text is not told.
    await owner.api.call(contract.posts.vote, { postId: post.id, value: 1 });
    await send();

    expect(came()).toHaveLength(1);
    const [{ headers, body, delivery: told }] = came() as [Received];
    const of = { postId: post.id };
    expect(told).toEqual({
      webhookId: webhook.id,
      topicId,
      cursor: 10,
      events: [
        { kind: "member.joined", userId: member.userId },
        { kind: "post.created", ...of },
        { kind: "comment.created", ...of, commentId: comment.id },
        { kind: "comment.updated", ...of, commentId: comment.id },
        { kind: "message.created", messageId: message.id },
        { kind: "post.removed", ...of },
        { kind: "post.created", ...of },
        { kind: "comment.removed", ...of, commentId: comment.id },
        { kind: "message.removed", messageId: message.id },
        { kind: "member.left", userId: member.userId },
      ].map((event, index) => ({ cursor: index + 1, at: expect.any(String), ...event })),
    });
    for (const text of ["nobody sends", "Nor this", "A comment", "Changed", "A message", member.nickname])
      expect(body).not.toContain(text);

    // As a receiver checks it, with a library that is not ours; the clock of the test is that of the sender.
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    expect(Number(signed["webhook-timestamp"])).toBe(Math.floor(clock / 1000));
    const sentAt = new Date(clock);
    expect(new Verifier(secret).sign(signed["webhook-id"] ?? "", sentAt, body)).toBe(
      signed["webhook-signature"],
    );
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const rows = JSON.stringify(await h.db.selectFrom("webhooks").selectAll().execute());
    expect(rows).not.toContain(secret.slice(6));
    expect(await hookOf(owner, topicId)).toMatchObject({ cursor: 10, failingSince: null });
    await send();
    expect(came(), "nothing is sent twice").toHaveLength(1);
  });

  it("is what was asked for, from the moment at which it was made; a topic without one keeps nothing", async () => {
    const owner = await signIn(h);
    const { id: topicId } = await makeTopic(owner);
    await makePost(owner, topicId);
    const count = async () =>
      (await h.db.selectFrom("topic_events").select("id").where("topic_id", "=", topicId).execute()).length;
    expect(await count()).toBe(0);
    const { kinds } = await makeHook(owner, { topicId, events: ["comment.created"] });
    const post = await makePost(owner, topicId);
    await owner.api.call(contract.comments.create, { postId: post.id, content: "c" });
    await makePost(owner, topicId);
    await send();
    expect(kinds()).toEqual(["comment.created"]);
    expect(await hookOf(owner, topicId)).toMatchObject({ cursor: 3 });
  });

  it("comes in parts of a hundred, complete and in order, from twenty writers and three senders at once", async () => {
    const { owner, topicId, came } = await hooked(["comment.created"]);
    const post = await makePost(owner, topicId);
    const write = (n: number) =>
      owner.api.call(contract.comments.create, { postId: post.id, content: `c ${n}` });
    const writing = { goesOn: true };
    const sender = async () => {
      while (writing.goesOn) {
        await send();
        await sleep(5);
      }
    };
    const senders = [sender(), sender(), sender()];
    try {
      for (let n = 0; n < 160; n += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => write(n + i)));
    } finally {
      writing.goesOn = false;
      await Promise.all(senders);
    }
    await send();
    const events = came().flatMap((one) => one.delivery.events);
    expect(new Set(events.map(({ commentId }) => commentId)).size).toBe(160);
    expect(events).toHaveLength(160);
    const cursors = events.map(({ cursor }) => cursor);
    expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
    expect(Math.max(...came().map((one) => one.delivery.events.length))).toBeLessThanOrEqual(
      LIMITS.webhooks.batch,
    );
  });
});

describe("a receiver that fails", () => {
  it("gets the same events again, later each time, and after a day no more; staff resume it", async () => {
    const { owner, topicId, path, came } = await hooked();
    answer = (asked) => ({ status: asked === path ? 500 : 204 });
    await makePost(owner, topicId);
    const started = clock;
    const waits: number[] = [];
    for (let tries = 0; tries < 50; tries += 1) {
      await send();
      const { next_at } = await h.db
        .selectFrom("webhooks")
        .select("next_at")
        .where("topic_id", "=", topicId)
        .executeTakeFirstOrThrow();
      waits.push(clock - started);
      if (!next_at) break;
      // A moment early nothing happens.
      clock = next_at.getTime() - 1;
      const before = came().length;
      await send();
      expect(came()).toHaveLength(before);
      clock += 1;
    }
    expect(await hookOf(owner, topicId)).toMatchObject({ stoppedAt: expect.any(String) });
    expect(waits.slice(0, 4)).toEqual([0, 10_000, 70_000, 370_000]);
    expect(waits.at(-1)).toBeGreaterThan(22 * 3_600_000);
    expect(waits.at(-1)).toBeLessThanOrEqual(26 * 3_600_000);
    expect(new Set(came().map(({ body }) => body)).size).toBe(1);
    expect(new Set(came().map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    // Nothing is lost meanwhile.
    await makePost(owner, topicId);
    await send();
    const tried = came().length;
    answer = () => ({ status: 204 });
    const { webhook } = await owner.api.call(contract.webhooks.replay, {
      topicId,
      webhookId: (await hookOf(owner, topicId))?.id ?? "",
    });
    expect(webhook).toMatchObject({ stoppedAt: null, failingSince: null, cursor: 0 });
    await send();
    expect(
      came()
        .slice(tried)
        .flatMap((one) => one.delivery.events.map(({ cursor }) => cursor)),
    ).toEqual([1, 2]);
  });

  it("may ask for an hour, and is left alone where it is gone", async () => {
    const patient = await hooked();
    const gone = await hooked();
    answer = (asked) =>
      asked === patient.path ? { status: 429, headers: { "retry-after": "90000" } } : { status: 410 };
    for (const { owner, topicId } of [patient, gone]) await makePost(owner, topicId);
    await send();
    clock += 3_590_000;
    await send();
    expect(patient.came()).toHaveLength(1);
    clock += 20_000;
    answer = () => ({ status: 204 });
    await send();
    expect(patient.came()).toHaveLength(2);
    expect(gone.came()).toHaveLength(1);
    expect(await hookOf(gone.owner, gone.topicId)).toMatchObject({ stoppedAt: expect.any(String) });
  });

  it("can be sent what it accepted again, for seven days", async () => {
    const { owner, topicId, webhook, came } = await hooked();
    const cursors = (from: number) =>
      came()
        .slice(from)
        .flatMap((one) => one.delivery.events.map(({ cursor }) => cursor));
    /** A post of so many days ago; events have the time of the database. */
    const postOf = async (days: number) => {
      const post = await makePost(owner, topicId);
      const at = new Date(clock - days * 86_400_000);
      await h.db.updateTable("topic_events").set({ at }).where("post_id", "=", post.id).execute();
    };
    const replay = async (after: number) => {
      const before = came().length;
      await owner.api.call(contract.webhooks.replay, { topicId, webhookId: webhook.id, after });
      await send();
      return cursors(before);
    };
    await postOf(8);
    await postOf(6);
    await send();
    expect(await replay(0)).toEqual([1, 2]);
    expect(await replay(1)).toEqual([2]);
    // A cursor that does not exist yet does not skip what comes.
    expect(await replay(1000)).toEqual([]);
    await postOf(0);
    await send();
    expect(cursors(came().length - 1)).toEqual([3]);
    await forgetTopicEvents(h.db, new Date(clock));
    expect(await replay(0)).toEqual([2, 3]);
  });
});

it("is sent back while a delivery is under way: the delivery does not undo it", async () => {
  const { owner, topicId, webhook, came } = await hooked();
  await makePost(owner, topicId);
  await makePost(owner, topicId);
  await send();
  await makePost(owner, topicId);
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  const sending = send();
  await expect.poll(() => came().length).toBe(2);
  await owner.api.call(contract.webhooks.replay, { topicId, webhookId: webhook.id, after: 0 });
  release();
  await sending;
  await send();
  expect(came().map((one) => one.delivery.events.map(({ cursor }) => cursor))).toEqual([
    [1, 2],
    [3],
    [1, 2, 3],
  ]);
});

it("is resumed while a delivery fails: the failure does not stop it again", async () => {
  const { owner, topicId, webhook, came } = await hooked();
  await makePost(owner, topicId);
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  answer = () => ({ status: 410 });
  const sending = send();
  await expect.poll(() => came().length).toBe(1);
  answer = () => ({ status: 204 });
  await owner.api.call(contract.webhooks.replay, { topicId, webhookId: webhook.id });
  release();
  await sending;
  await send();
  expect(await hookOf(owner, topicId)).toMatchObject({ stoppedAt: null, cursor: 1 });
});

describe("who may", () => {
  it("staff only; the log has the host; five for a topic; private addresses never", async () => {
    const { owner, topicId, webhook } = await hooked();
    const [admin, member] = [await signIn(h), await signIn(h)];
    await addTo(h.db, topicId, admin, "admin");
    await addTo(h.db, topicId, member);
    const url = `http://127.0.0.1:${portOf(receiver)}/log?key=of-the-receiver`;
    expect(await refusalOf(member.api.call(contract.webhooks.create, { topicId, url }))).toMatchObject({
      code: "role_required",
    });
    expect(await refusalOf(member.api.call(contract.webhooks.list, { topicId }))).toMatchObject({
      code: "role_required",
    });
    for (const bad of [
      "http://10.0.0.1/",
      "http://localhost/",
      "ftp://example.org/",
      "https://u:p@example.org/",
      "x",
    ]) {
      const refused = await refusalOf(owner.api.call(contract.webhooks.create, { topicId, url: bad }));
      expect(refused, bad).toMatchObject({ status: 400, code: "address_not_allowed", field: "url" });
    }
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, () => admin.api.call(contract.webhooks.create, { topicId, url })),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(LIMITS.webhooks.most - 1);
    await admin.api.call(contract.webhooks.delete, { topicId, webhookId: webhook.id });
    const again = admin.api.call(contract.webhooks.delete, { topicId, webhookId: webhook.id });
    expect(await refusalOf(again)).toMatchObject({ status: 404, code: "webhook_not_found" });
    const { entries } = await member.api.call(contract.moderation.log, { topicId });
    expect(entries.filter(({ action }) => action === "webhook_added")).toHaveLength(LIMITS.webhooks.most);
    expect(entries[0]).toMatchObject({ action: "webhook_deleted", details: { host: new URL(url).host } });
    expect(JSON.stringify(entries)).not.toContain("of-the-receiver");
  });

  it("nothing is sent for who is no longer staff, nor for a deleted account", async () => {
    const { owner, topicId } = await hooked();
    const admin = await signIn(h);
    await addTo(h.db, topicId, admin, "admin");
    const { came, webhook } = await makeHook(admin, { topicId });
    await owner.api.call(contract.members.setRole, { topicId, userId: admin.userId, role: "member" });
    await makePost(owner, topicId);
    await send();
    expect(came()).toEqual([]);
    const stopped = (await owner.api.call(contract.webhooks.list, { topicId })).webhooks.find(
      ({ id }) => id === webhook.id,
    );
    expect(stopped?.stoppedAt).not.toBeNull();
    // Whoever resumes it answers for it.
    await owner.api.call(contract.webhooks.replay, { topicId, webhookId: webhook.id });
    await send();
    expect(came()).toHaveLength(1);
    await admin.api.call(contract.profile.deleteAccount, {});
    await send();
    const left = JSON.stringify(
      await h.db.selectFrom("topic_events").selectAll().where("topic_id", "=", topicId).execute(),
    );
    expect(left).not.toContain(admin.userId);
  });

  it("a deleted topic leaves nothing that could be sent", async () => {
    const { owner, topicId, came } = await hooked();
    await makePost(owner, topicId);
    await owner.api.call(contract.topics.delete, { topicId });
    await send();
    expect(came()).toEqual([]);
    for (const table of ["webhooks", "webhook_streams", "topic_events"] as const) {
      const rows = await h.db.selectFrom(table).select("topic_id").where("topic_id", "=", topicId).execute();
      expect(rows, table).toEqual([]);
    }
  });
});
