import { rm } from "node:fs/promises";
import net from "node:net";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "@/db/client";
import { seededCategories } from "@/db/seeded-categories";
import { startRedis, startRestBridge, type TestRedis } from "@/lib/cache/testing";
import { createClient } from "@/lib/client";
import { followEvents } from "@/lib/client/events";
import { contract } from "@/lib/contract";
import { pushEnv, startPushService } from "@/lib/push/testing/stub-push-service";
import { startPostgres, startWebSocketBridge, type TestPostgres } from "@/lib/sql/testing";
import { type StubBucket, startStubBucket } from "@/lib/storage/testing/stub-bucket";
import { testDeployment } from "@/lib/testing/deployment";
import { padded, png } from "@/lib/testing/images";
import { portOf } from "@/lib/testing/port";
import { type RecordWorld, startRecordWorld } from "@/lib/testing/records";
import { type AppHome, appHome } from "./app-process";
import { Platform } from "./serverless/platform";

/**
 * The built app on a serverless platform (serverless/platform.ts), with @vercel/postgres, @upstash/redis and a bucket:
 * its processes are frozen after each answer, killed between answers, and have no timers but the cron route.
 */
const CRON_SECRET = "known to the platform only";
/** Streams end within these seconds, well before the platform cuts them. */
const STREAM_SECONDS = 5;
const LIMIT_MS = 10_000;
const bucketKeys = { accessKeyId: "id", secretAccessKey: "secret", region: "auto", name: "parley" };

let platform: Platform;
let url: string;
let home: AppHome;
let database: OpenDatabase;
let world: RecordWorld;
let wallet: Awaited<ReturnType<RecordWorld["wallet"]>>;
let bucket: StubBucket;
let pushes: Awaited<ReturnType<typeof startPushService>>;
let door: Door;
const closers: (() => Promise<unknown>)[] = [];

/** In front of the push service; while it is shut, what comes gets no answer. */
class Door {
  /** Connections that wait at the shut door. */
  waiting = 0;
  isShut = false;
  readonly server: net.Server;
  constructor(port: number) {
    this.server = net.createServer((socket) => {
      socket.on("error", () => undefined);
      if (this.isShut) this.waiting += 1;
      else {
        const inner = net.connect(port, "127.0.0.1");
        inner.on("error", () => socket.destroy());
        socket.pipe(inner).pipe(socket);
      }
    });
  }
}

beforeAll(async () => {
  platform = new Platform();
  url = await platform.listen();
  closers.push(() => platform.close());
  const postgres: TestPostgres | undefined = await startPostgres();
  const redis: TestRedis | undefined = await startRedis();
  if (!postgres || !redis) throw new Error("these tests need PostgreSQL and redis-server: see .ci/run");
  const postgresUrl = await postgres.createDatabase("serverless");
  const [bridge, cache] = await Promise.all([startWebSocketBridge(postgres.url), startRestBridge(redis.url)]);
  database = await openDatabase({ url: postgresUrl });
  [world, bucket, pushes] = await Promise.all([
    startRecordWorld(),
    startStubBucket(bucketKeys),
    startPushService(),
  ]);
  wallet = await world.wallet();
  door = new Door(pushes.port);
  await new Promise<void>((resolve) => door.server.listen(0, "127.0.0.1", resolve));
  const { services } = testDeployment();
  home = await appHome({
    ...world.options(wallet.key).deployment,
    services: { ...services, appUrl: url },
  });
  closers.push(
    () => database.close(),
    () => bridge.close(),
    () => cache.close(),
    () => redis.close(),
    () => postgres.close(),
    () => pushes.close(),
    async () => door.server.close(),
    () => bucket.close(),
    () => world.stop(),
    () => rm(home.settings.home, { recursive: true, force: true }),
  );
  const { accessKeyId, secretAccessKey } = bucketKeys;
  const storage = bucket.url.replace("http://", `s3+http://${accessKeyId}:${secretAccessKey}@`);
  await platform.open({
    home,
    postgresUrl,
    bridgePort: bridge.port,
    pushPort: portOf(door.server),
    limitMs: LIMIT_MS,
    env: {
      CRON_SECRET,
      CACHE_URL: cache.url,
      STORAGE_URL: `${storage}?public=https://files.example`,
      RECORD_KEY: wallet.key,
      STREAM_SECONDS: String(STREAM_SECONDS),
      RATE_LIMITS: "on",
      TRUST_PROXY: "1",
      ...pushEnv,
    },
  });
});
afterAll(async () => {
  for (const close of closers) await close();
});
afterEach(async () => {
  await platform.idle();
  expect(platform.faults.splice(0)).toEqual([]);
});

/** Waits until each process is frozen, before the answer is read. */
const thenFreeze: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const body = await response.arrayBuffer();
  await platform.idle();
  return new Response(body, response);
};
const clientOf = (token?: string, send = thenFreeze) =>
  createClient({ baseUrl: url, token: () => token, fetch: send });
async function signIn(nickname: string) {
  const signedIn = await clientOf().call(contract.auth.devLogin, { nickname });
  return { ...signedIn, api: clientOf(signedIn.token) };
}
type Person = Awaited<ReturnType<typeof signIn>>;

async function topicOf(owner: Person, ...members: Person[]): Promise<string> {
  const categoryId = seededCategories[0]?.id ?? "";
  const { topic } = await owner.api.call(contract.topics.create, { title: "A topic", categoryId });
  for (const { api } of members) await api.call(contract.topics.join, { topicId: topic.id });
  return topic.id;
}
const post = async ({ api }: Person, topicId: string) =>
  (await api.call(contract.posts.create, { topicId, title: "A post", content: "<p>Words.</p>" })).post.id;

/** One round of the platform's clock. */
async function round(secret = CRON_SECRET) {
  return await fetch(`${url}/cron/housekeeping`, { headers: { authorization: `Bearer ${secret}` } });
}
async function rounds(count: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, () => round()));
  expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 200));
  await platform.idle();
}

it("a journey holds though every process is frozen after each answer, and killed between some", async () => {
  const [owner, member] = [await signIn("owner"), await signIn("member")];
  // Frozen processes keep their sessions, by whose names the platform looks for open transactions.
  const { rows: sessions } = await sql`select distinct application_name as name from pg_stat_activity
    where application_name in ('one', 'two') order by 1`.execute(database.db);
  expect(sessions).toEqual([{ name: "one" }, { name: "two" }]);
  await platform.kill();
  const topicId = await topicOf(owner, member);
  const draft = { topicId, title: "Once", content: "<p>Words.</p>" };
  const once = { idempotencyKey: "the-same-post" };
  const { post: written } = await member.api.call(contract.posts.create, draft, once);
  await platform.kill();
  expect((await member.api.call(contract.posts.create, draft, once)).post.id).toBe(written.id);
  const at = { postId: written.id };
  for (const name of ["one", "two", "one"]) {
    await owner.api.call(contract.comments.create, { ...at, content: `Before ${name} dies` });
    await platform.kill(name);
  }
  for (const { api } of [owner, member]) await api.call(contract.posts.vote, { ...at, value: 1 });
  await owner.api.call(contract.posts.react, { ...at, emoji: "👍" });
  await owner.api.call(contract.posts.bookmark, at);
  // Views are written after the answer.
  for (let view = 0; view < 3; view += 1) await clientOf().call(contract.posts.get, at);
  await platform.kill();
  const topic = await database.db
    .selectFrom("topics")
    .select(["member_count", "post_count"])
    .where("id", "=", topicId)
    .executeTakeFirst();
  expect(topic).toEqual({ member_count: 2, post_count: 1 });
  const row = await database.db
    .selectFrom("posts")
    .select(["comment_count", "upvote_count", "view_count"])
    .where("id", "=", written.id)
    .executeTakeFirst();
  expect(row).toEqual({ comment_count: 3, upvote_count: 2, view_count: 3 });
});

it("counts guests by the address that the platform has written, whichever process answers", async () => {
  const left = async (given: string) => {
    const { headers } = await fetch(`${url}/api/topics`, { headers: { "x-forwarded-for": given } });
    return Number(headers.get("ratelimit-remaining"));
  };
  const first = await left("192.0.2.1");
  expect([await left("192.0.2.2"), await left("192.0.2.3")]).toEqual([first - 1, first - 2]);
});

/** A member who listens to a chat with the client that browsers use. */
function listenTo(topicId: string, { token }: Person) {
  const heard: string[] = [];
  /** Processes that answered its connections. */
  const streams: string[] = [];
  let ends = 0;
  const stop = followEvents(
    contract.chat.subscribe,
    { topicId },
    {
      baseUrl: url,
      token: () => token,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (response.ok) streams.push(response.headers.get("x-served-by") ?? "");
        return response;
      },
      onEvent: ({ name, data }) => {
        if (name === "message" && data.type === "message") heard.push(data.message);
      },
      onState: ({ kind }) => {
        if (kind === "offline") ends += 1;
      },
    },
  );
  return { heard, streams, stop, ends: () => ends };
}
/** A process may have to start first. */
const patiently = { timeout: 60_000 };

it("a chat loses and repeats nothing while streams end by themselves and processes die", async () => {
  const [owner, member] = [await signIn("speaker"), await signIn("listener")];
  const topicId = await topicOf(owner, member);
  const { heard, streams, stop, ends } = listenTo(topicId, member);
  await expect.poll(() => streams.length, patiently).toBe(1);
  const said: string[] = [];
  const speaker = clientOf(owner.token, fetch);
  async function say(): Promise<void> {
    for (let i = 0; i < 3; i += 1) {
      said.push(String(said.length));
      await speaker.call(contract.chat.send, { topicId, message: said.at(-1) ?? "" });
    }
  }
  await say();
  await expect.poll(() => heard).toEqual(said);
  // It ends; what is said until its client is back reaches it, too.
  await expect.poll(ends, patiently).toBe(1);
  await say();
  await expect.poll(() => heard, patiently).toEqual(said);
  await platform.kill(streams.at(-1));
  await say();
  await expect.poll(() => heard, patiently).toEqual(said);
  // The other process, which may have been the first to know of the next.
  await platform.kill(streams.at(-1) === "one" ? "two" : "one");
  await say();
  await expect.poll(() => heard, patiently).toEqual(said);
  stop();
});

it("who leaves a chat is gone before the process is frozen", async () => {
  const [owner, member] = [await signIn("stays"), await signIn("leaves")];
  const topicId = await topicOf(owner, member);
  const { streams, stop } = listenTo(topicId, member);
  await expect.poll(() => streams.length, patiently).toBe(1);
  const present = async (send = thenFreeze) =>
    (await clientOf(owner.token, send).call(contract.chat.presence, { topicId })).count;
  expect(await present(fetch)).toBe(1);
  stop();
  await platform.idle();
  expect(await present()).toBe(0);
  const { messages } = await owner.api.call(contract.chat.list, { topicId });
  expect(messages.map(({ type }) => type).toSorted()).toEqual(["join", "leave"]);
});

it("a record is carried to the chain by rounds of the clock, and by nothing else", async () => {
  const [author, member] = [await signIn("author"), await signIn("recorder")];
  const topicId = await topicOf(author, member);
  const postId = await post(author, topicId);
  await sql`update posts set created_at = now() - interval '1 hour' where id = ${postId}`.execute(
    database.db,
  );
  const { control } = world;
  const inPool = async () => (await control.getTxpoolStatus()).pending;
  await control.setAutomine(false);
  // The process dies while the request waits for a block, and the chain forgets the transaction.
  const lost = clientOf(member.token, fetch).call(contract.records.record, { postId });
  const answer = expect(lost).rejects.toMatchObject({ status: 502 });
  await expect.poll(inPool, patiently).toBe(1);
  await platform.kill();
  await answer;
  const [signed = expect.fail()] = await database.db.selectFrom("chain_signatures").select("hash").execute();
  await control.dropTransaction({ hash: `0x${signed.hash.slice(2)}` });
  // New processes start and answer, and send nothing by themselves.
  for (let i = 0; i < 2; i += 1) await clientOf().call(contract.posts.get, { postId });
  expect(await inPool()).toBe(0);
  await rounds(1);
  expect(await inPool()).toBe(1);
  await control.mine({ blocks: 1 });
  await rounds(4);
  const record = await database.db
    .selectFrom("records as r")
    .innerJoin("posts as p", "p.id", "r.post_id")
    .select(["r.status", "p.record_count"])
    .executeTakeFirst();
  expect(record).toEqual({ status: "confirmed", record_count: 1 });
  expect(await world.events(wallet.address)).toHaveLength(1);
  const { notifications } = await author.api.call(contract.notifications.list, {});
  expect(notifications.map(({ kind }) => kind)).toEqual(["post_recorded"]);
  await control.setAutomine(true);
});

it("a push follows its answer; one whose process died is sent by a round, once", async () => {
  const [author, writer] = [await signIn("reader"), await signIn("writer")];
  const topicId = await topicOf(author, writer);
  const postId = await post(author, topicId);
  const { path, ...browser } = pushes.subscribe();
  await author.api.call(contract.push.add, browser);
  const comment = (send?: typeof fetch) =>
    clientOf(writer.token, send).call(contract.comments.create, { postId, content: "A reply" });
  const arrived = () => pushes.received.filter((message) => message.path === path).length;
  await comment();
  expect(arrived()).toBe(1);
  door.isShut = true;
  await comment(fetch);
  await expect.poll(() => door.waiting).toBe(1);
  await platform.kill();
  door.isShut = false;
  // Until its time is over, the process may still be at it.
  await rounds(2);
  expect(arrived()).toBe(1);
  await sql`update push_deliveries set next_at = now()`.execute(database.db);
  await rounds(4);
  expect(arrived()).toBe(2);
  await rounds(1);
  expect([arrived(), pushes.failures]).toEqual([2, []]);
});

it("the clock's address exists for the platform only, and rounds at once add up once", async () => {
  const author = await signIn("counted");
  const postId = await post(author, await topicOf(author));
  // What a process leaves behind that dies before it has added up.
  await sql`insert into post_deltas (post_id, comments, votes) values (${postId}::uuid, 2, 0)`.execute(
    database.db,
  );
  expect((await round("a guess of theirs")).status).toBe(404);
  expect((await fetch(`${url}/cron/housekeeping`)).status).toBe(404);
  await platform.idle();
  const counted = async () =>
    await database.db.selectFrom("posts").select("comment_count").where("id", "=", postId).executeTakeFirst();
  expect(await counted()).toEqual({ comment_count: 0 });
  await rounds(4);
  expect(await counted()).toEqual({ comment_count: 2 });
});

it("a picture above the platform's limit goes straight to the bucket", async () => {
  const author = await signIn("painter");
  const topicId = await topicOf(author);
  const picture = padded(png(4, 4), 6_000_000);
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(picture)], { type: "image/png" }), "a.png");
  const headers = { authorization: `Bearer ${author.token}` };
  expect((await fetch(`${url}/api/upload`, { method: "POST", headers, body: form })).status).toBe(413);
  const { uploadUrl = "", publicUrl } = await author.api.call(contract.uploads.create, {
    ...{ filename: "a.png", contentType: "image/png", size: picture.length, purpose: "post" },
  });
  expect(new URL(uploadUrl).origin).toBe(new URL(bucket.url).origin);
  const type = { "content-type": "image/png" };
  const put = await fetch(uploadUrl, { method: "PUT", headers: type, body: new Uint8Array(picture) });
  expect(put.status).toBe(200);
  const content = `<p>Look:</p><img src="${publicUrl}" alt="">`;
  const { post: shown } = await author.api.call(contract.posts.create, { topicId, title: "Large", content });
  expect(shown.content).toContain(publicUrl);
  expect(platform.largest).toBeLessThan(10_000);
});
