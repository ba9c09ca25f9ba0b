import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { unzipSync } from "fflate";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { exportBegins } from "@/lib/client/export-progress";
import { contract } from "@/lib/contract";
import { fullOrShort } from "@/lib/testing/assure";
import type { TestUser } from "@/lib/testing/harness";
import { padded, png } from "@/lib/testing/images";
import { say } from "../notifications/testing";
import { addTo, type Cast, createCast, makePost, signIn, verified } from "../testing";
import { storeImages } from "../uploads/store";

let cast: Cast;
let topicId: string;
beforeAll(async () => {
  cast = await createCast();
  topicId = await cast.place();
});
afterAll(() => cast.h.close());

async function download(user: TestUser): Promise<Response> {
  return await cast.h.fetch("http://localhost:3000/api/account/export", {
    headers: { authorization: `Bearer ${user.token}` },
  });
}

/** Opens an archive with another library than the one that made it. */
async function opened(response: Response) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const files = unzipSync(bytes);
  const text = (name: string) => new TextDecoder().decode(files[name]);
  return { bytes, files, text, json: (name: string): unknown => JSON.parse(text(name)) };
}

/** Gives a user something of every kind, with a word in all of it. */
async function fill(user: TestUser, word: string) {
  await addTo(cast.h.db, topicId, user);
  const as = await cast.h.memberContext(user.token);
  const [key = ""] = await storeImages(as, "post", [png(1, 1, word.length)], "file");
  const image = `<img src="${cast.h.services.storage.htmlUrl(key)}" alt="">`;
  for (let n = 0; n < 3; n += 1) {
    const post = await makePost(user, topicId, `${word} ${n}`, `<p>${word} post ${n}.</p>${image}`);
    await say(user, post.id, `${word} comment ${n}.\nSecond line.`);
    await user.api.call(contract.chat.send, { topicId, message: `${word} message ${n}.` });
  }
  const target = await makePost(cast.owner, topicId);
  await user.api.call(contract.moderation.reportPost, {
    postId: target.id,
    reason: "other",
    details: `${word} report.`,
  });
  await user.api.call(contract.users.block, { userId: cast.outsider.userId });
  await verified(cast.h, user, { domain: `${word}.example` });
  return key;
}

/** Collects garbage, so that what is measured is what is held. */
const collect = (() => {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  return () => {
    if (typeof gc === "function") gc();
  };
})();

const ids = z.array(z.object({ id: z.string() }));

describe("GET /api/account/export", () => {
  it("200: a ZIP with the rows of the database, and nothing that another account wrote or did", async () => {
    const user = await signIn(cast.h, "mine");
    const other = await signIn(cast.h, "theirs");
    const key = await fill(user, "cedar");
    await fill(other, "walnut");
    // What another account did to theirs.
    const [post] = await cast.h.db
      .selectFrom("posts")
      .select("id")
      .where("author_id", "=", user.userId)
      .execute();
    await say(other, post?.id ?? "", "walnut answer.");
    await other.api.call(contract.moderation.reportPost, {
      postId: post?.id ?? "",
      reason: "abuse",
      details: "walnut accusation.",
    });
    await other.api.call(contract.users.block, { userId: user.userId });

    const response = await download(user);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/zip",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="parley-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const { bytes, files, text, json } = await opened(response);
    expect(Object.keys(files)).toHaveLength(Number(response.headers.get("x-export-files")));

    const { db } = cast.h;
    const idsOf = async (table: "comments" | "posts" | "chat_messages", column: string) => {
      const { rows } = await sql<{ id: string }>`select id::text from ${sql.table(table)}
        where ${sql.ref(column)} = ${user.userId} order by created_at`.execute(db);
      return rows.map(({ id }) => id);
    };
    expect(ids.parse(json("comments-1.json")).map(({ id }) => id)).toEqual(
      await idsOf("comments", "author_id"),
    );
    expect(ids.parse(json("chat-messages-1.json")).map(({ id }) => id)).toEqual(
      await idsOf("chat_messages", "user_id"),
    );
    const posts = Object.keys(files).filter((name) => /^posts\/.*\.json$/.test(name));
    expect(posts.map((name) => name.slice("posts/2026-01-01-".length, -".json".length)).toSorted()).toEqual(
      (await idsOf("posts", "author_id")).toSorted(),
    );
    expect(text("comments-1.md")).toContain("> cedar comment 0.\n> Second line.");
    const picture = Object.entries(files).find(([name]) => name.startsWith("files/"))?.[1];
    const stored = await cast.h.services.storage.read(key);
    expect(Buffer.from(picture ?? "").equals(Buffer.from(stored ?? ""))).toBe(true);

    const whole = new TextDecoder().decode(bytes);
    expect(whole).not.toContain("walnut");
    expect(whole).not.toContain(other.nickname);
    expect(whole).not.toContain(user.token);
    for (const table of ["sessions", "topics"] as const) {
      const column = table === "sessions" ? "jti" : "invite_code";
      const { rows } = await sql<{ secret: string }>`select ${sql.ref(column)} as secret
        from ${sql.table(table)}`.execute(db);
      for (const { secret } of rows) expect(whole).not.toContain(secret);
    }
  });

  it("401 without a session", async () => {
    expect((await cast.h.send("GET", "/api/account/export")).status).toBe(401);
  });

  it("makes it as fast as it is taken: one file in memory, whatever the account's size", async () => {
    const user = await signIn(cast.h, "large");
    const as = await cast.h.memberContext(user.token);
    const files = fullOrShort(20, 4);
    const size = 10_000_000;
    for (let n = 0; n < files; n += 1) {
      await storeImages(as, "post", [padded(png(1, 1, n), size)], "file");
    }
    const read = vi.spyOn(cast.h.services.storage, "read");
    const response = await download(user);
    const reader = response.body?.getReader();
    let bytes = 0;
    let most = 0;
    const before = process.memoryUsage().arrayBuffers;
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      bytes += part.value.length;
      // One is sent, one is waiting.
      expect(read.mock.calls.length).toBeLessThanOrEqual(Math.floor(bytes / size) + 2);
      if (part.value.length < size) continue;
      collect();
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(bytes).toBeGreaterThan(files * size);
    expect(read).toHaveBeenCalledTimes(files);
    expect(most).toBeLessThan(5 * size);
    read.mockRestore();
  }, 60_000);

  it("breaks off when a file cannot be read, so that nobody takes a part for the whole", async () => {
    const user = await signIn(cast.h, "broken");
    await storeImages(await cast.h.memberContext(user.token), "post", [png()], "file");
    const read = vi.spyOn(cast.h.services.storage, "read").mockRejectedValue(new Error("no disk"));
    const response = await download(user);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    read.mockRestore();
  });

  it("marks where each file begins, for a client that shows progress", async () => {
    const user = await signIn(cast.h, "watched");
    await fill(user, "PK\u0003\u0004");
    const response = await download(user);
    const total = Number(response.headers.get("x-export-files"));
    const bytes = new Uint8Array(await response.arrayBuffer());
    for (const step of [bytes.length, 7, 1]) {
      const count = exportBegins();
      let seen = 0;
      for (let at = 0; at < bytes.length; at += step) seen = count(bytes.subarray(at, at + step));
      expect(seen).toBe(total);
    }
  });
});
