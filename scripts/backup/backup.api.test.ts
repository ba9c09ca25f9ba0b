import { createHash } from "node:crypto";
import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { generateX25519Identity } from "age-encryption";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openDatabase } from "@/db/client";
import { globalAdmin } from "@/lib/community/posts/testing";
import { makePost, makeTopic, signIn, verified } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { MANIFEST } from "./manifest";
import { type BackupWorld, contentsBelow, problems, secrets, startBackupWorld } from "./testing";

let world: BackupWorld;
beforeAll(async () => {
  world = await startBackupWorld();
});
afterAll(() => world.close());

type Installation = Awaited<ReturnType<BackupWorld["install"]>>;

/** Posts, comments, votes and acts of the staff, at once and until told to stop. */
async function busy({ h }: Installation) {
  const owner = await signIn(h, "owner");
  const topic = await makeTopic(owner);
  const first = await makePost(owner, topic.id);
  let stopped = false;
  let written = 0;
  const works = [
    () => makePost(owner, topic.id),
    () => owner.api.call(contract.comments.create, { postId: first.id, content: "c" }),
    () => owner.api.call(contract.comments.create, { postId: first.id, content: "d" }),
    () => owner.api.call(contract.topics.renewInviteCode, { topicId: topic.id }),
  ].map(async (work) => {
    while (!stopped) {
      await work();
      written += 1;
    }
  });
  return {
    /** Resolves when so many more writes are done. */
    more: (number: number) => {
      const until = written + number;
      return vi.waitUntil(() => written >= until, { timeout: 30_000 });
    },
    async stop() {
      stopped = true;
      await Promise.all(works);
    },
  };
}

/** What counters say, and what there is. */
const balance = sql<{
  posts: number;
  counted: number;
  comments: number;
  commented: number;
  logged: number;
  log: number;
}>`
  select (select count(*) from posts) as posts,
    (select sum(post_count) from topics) + (select coalesce(sum(posts), 0) from topic_deltas) as counted,
    (select count(*) from comments) as comments,
    (select sum(comment_count) from posts) + (select coalesce(sum(comments), 0) from post_deltas) as commented,
    (select count(*) from moderation_log) as log, (select sum(log_seq) from topics) as logged`;

async function balanceOf(url: string | undefined) {
  const { db, close } = await openDatabase({ url: url ?? "", migrate: false });
  const { rows } = await balance.execute(db);
  await close();
  return rows[0] ?? expect.fail();
}

describe.each(["embedded", "postgres"] as const)("a backup of %s", (engine) => {
  let place: Installation;
  beforeAll(async () => {
    place = await world.install(engine);
  });
  afterAll(() => place.h.close());

  it("is one moment while the app writes, and restores with every check", async () => {
    const work = await busy(place);
    const to = world.newFolder();
    try {
      await work.more(20);
      await world.backUp(place.environment, to);
      await work.more(4);
    } finally {
      await work.stop();
    }
    const target = await world.emptyPlace(engine);
    expect(problems(await world.restore(to, target))).toEqual([]);
    const { posts, counted, comments, commented, log, logged } = await balanceOf(target.DATABASE_URL);
    expect([counted, commented, logged]).toEqual([posts, comments, log]);
    const [now = expect.fail()] = (await balance.execute(place.h.db)).rows;
    // The app wrote before and after that moment.
    expect(comments).toBeGreaterThan(0);
    expect(now.posts + now.comments).toBeGreaterThan(posts + comments);
  });

  it("names what differs after a restore: rows, logs, the key of members, secrets", async () => {
    const user = await signIn(place.h, "member");
    await verified(place.h, user, { domain: "example.com" });
    const topic = await makeTopic(user);
    await user.api.call(contract.topics.renewInviteCode, { topicId: topic.id });
    await sql`update moderation_log set reason = 'other' where topic_id = ${topic.id}`.execute(place.h.db);
    const second = await makePost(user, topic.id);
    const { api } = await globalAdmin(place.h);
    await api.call(contract.posts.delete, { postId: second.id, reason: "Spam." });
    await sql`update installation_log set reason = 'other'`.execute(place.h.db);
    const to = world.newFolder();
    await world.backUp(place.environment, to);
    const text = await readFile(path.join(to, MANIFEST), "utf8");
    await writeFile(path.join(to, MANIFEST), text.replace(/"public.topics": \d+/, '"public.topics": 1000'));
    const target = {
      ...(await world.emptyPlace(engine)),
      USER_ID_SECRET: "another user id secret of 32 bytes",
    };
    expect(problems(await world.restore(to, target))).toEqual([
      expect.stringMatching(/^rows of app: public.topics has \d+, the backup 1000$/),
      `logs of topics: topic ${topic.id}: entry 1 is changed`,
      "log of the installation: entry 1 is changed",
      "USER_ID_SECRET: is another than the one that the database is sealed with",
      "secrets: USER_ID_SECRET is not the one in the backup",
    ]);
  });

  it("is refused with a clear error, and nothing is restored", async () => {
    const to = world.newFolder();
    await world.backUp(place.environment, to);
    const target = await world.emptyPlace(engine);
    const attempt = (changes: Parameters<BackupWorld["restore"]>[2] = {}) =>
      world.restore(to, target, changes);
    await expect(world.backUp(place.environment, to)).rejects.toThrow("exists; name a new folder");
    const other = world.decrypter(await generateX25519Identity());
    await expect(attempt({ decrypter: other })).rejects.toThrow("cannot be decrypted with this identity");
    await expect(world.restore(to, place.environment)).rejects.toThrow(
      /into an empty place only: the (database has|folder)/,
    );
    await expect(attempt({ from: world.folder })).rejects.toThrow("no complete backup");

    const file = path.join(to, "app.dump.age");
    const whole = await readFile(file);
    const inTheMiddle = Math.floor(whole.length / 2);
    const tampered = Buffer.from(whole);
    tampered.writeUInt8(tampered.readUInt8(inTheMiddle) ^ 1, inTheMiddle);
    await writeFile(file, tampered);
    await expect(attempt()).rejects.toThrow("app.dump.age was changed or cut: its digest is another");
    // Who changes a file may change the manifest, too.
    const manifest = await readFile(path.join(to, MANIFEST), "utf8");
    const claim = (bytes: Buffer) => {
      const made = JSON.parse(manifest);
      made.databases[0].sha256 = createHash("sha256").update(bytes).digest("hex");
      made.databases[0].bytes = bytes.length;
      return writeFile(path.join(to, MANIFEST), JSON.stringify(made));
    };
    await claim(tampered);
    await expect(attempt()).rejects.toThrow(/app.dump.age was changed or cut \(/);
    await writeFile(file, whole);
    await truncate(file, inTheMiddle);
    await claim(whole.subarray(0, inTheMiddle));
    await expect(attempt()).rejects.toThrow(/app.dump.age was changed or cut \(/);
    // The place is still empty: the whole backup fits.
    await writeFile(file, whole);
    await claim(whole);
    expect((await attempt()).length).toBeGreaterThan(3);
  });

  it("that is interrupted leaves nothing", async () => {
    const before = (await readdir(world.folder)).sort();
    const stop = new AbortController();
    const encrypter = world.encrypter();
    let files = 0;
    encrypter.addRecipient({
      wrapFileKey() {
        files += 1;
        // The database is written by now.
        if (files === 2) stop.abort(new Error("interrupted"));
        return [];
      },
    });
    const attempt = world.backUp(place.environment, world.newFolder(), { encrypter, signal: stop.signal });
    await expect(attempt).rejects.toThrow();
    expect(files).toBe(2);
    expect((await readdir(world.folder)).sort()).toEqual(before);
    // The app goes on.
    await makeTopic(await signIn(place.h));
  });

  it("holds no secret and no text in clear", async () => {
    const text = "a text that nobody else may read";
    const user = await signIn(place.h);
    await makePost(user, (await makeTopic(user)).id, text, `<p>${text}</p>`);
    const to = world.newFolder();
    await world.backUp(place.environment, to);
    const bytes = await contentsBelow(to);
    const { host, pathname } = new URL(place.environment.DATABASE_URL ?? "");
    for (const each of [text, ...Object.values(secrets), host || pathname, user.userId])
      expect(bytes.includes(each), each).toBe(false);
    expect(bytes.includes('"public.posts":')).toBe(true);
  });
});
