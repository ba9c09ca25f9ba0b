import { sql } from "kysely";
import { keccak256, stringToBytes } from "viem";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import type { TestUser } from "../harness";
import { type RecordWorld, startRecordWorld } from "../records";
import { recordEndpoints, recordLimits, recordStates } from "./rows";
import * as shapes from "./shapes";
import { rowSuite } from "./suite";
import { createWorld, missing, type World } from "./world";

let w: World;
let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
  w = await createWorld(world.options((await world.wallet()).key));
});
afterAll(async () => {
  await w.close();
  await world.stop();
});

const records = z.looseObject({
  records: z.array(shapes.record),
  recordCount: z.int(),
  postEdited: z.boolean(),
  userRecorded: z.boolean(),
});
const status = z.looseObject({ allowed: z.boolean(), reason: z.string().nullable() });
const done = z.looseObject({
  success: z.boolean(),
  record: z.looseObject({ id: z.uuid(), contentHash: z.string(), recordCount: z.int() }),
});
const posts = z.looseObject({ posts: z.array(shapes.post) });
const onePost = z.looseObject({ post: shapes.post });

/** Lets time pass for a post. */
async function age(postId: string, minutes: number): Promise<void> {
  await sql`update posts set created_at = created_at - make_interval(mins => ${minutes}) where id = ${postId}`.execute(
    w.h.db,
  );
}

/** A topic whose post is old enough to be recorded. */
async function oldPlace(visibility: "public" | "private" = "public") {
  const place = await w.place(visibility);
  await age(place.post.id, 61);
  return place;
}

const record = async (who: TestUser, postId: string) =>
  (await w.ok(200, done, who, "POST", `/api/posts/${postId}/record`)).record;

describe("the specification: on-chain records", () => {
  rowSuite(recordEndpoints, {
    "GET /api/posts/{postId}/records": async () => {
      const { post, owner, member } = await oldPlace();
      const path = `/api/posts/${post.id}/records`;
      expect(await w.ok(200, records, null, "GET", path)).toMatchObject({
        records: [],
        recordCount: 0,
        postEdited: false,
        userRecorded: false,
      });
      const { id, contentHash } = await record(owner, post.id);
      const read = await w.ok(200, records, null, "GET", path);
      expect(read).toMatchObject({
        records: [{ id, contentHash, contentHashMatch: true, recorderNickname: owner.nickname }],
        recordCount: 1,
        postEdited: false,
        userRecorded: false,
      });
      const hash = z.templateLiteral(["0x", z.string()]).parse(read.records[0]?.txHash);
      const { logs } = await world.control.getTransactionReceipt({ hash });
      expect(logs[0]?.topics[2]).toBe(contentHash);
      expect((await w.ok(200, records, owner, "GET", path)).userRecorded).toBe(true);
      await w.ok(200, z.looseObject({}), member, "DELETE", `/api/posts/${post.id}`);
      const edited = await w.ok(200, records, null, "GET", path);
      expect(edited).toMatchObject({ postEdited: true, records: [{ contentHashMatch: false }] });
      await w.refused(404, null, "GET", `/api/posts/${missing}/records`);
      const secret = await w.place("secret");
      await w.refused(404, null, "GET", `/api/posts/${secret.post.id}/records`);
    },

    "GET /api/posts/{postId}/record-status": async () => {
      const { post, owner, member } = await w.place();
      const path = `/api/posts/${post.id}/record-status`;
      const read = async (who: TestUser) => await w.ok(200, status, who, "GET", path);
      expect((await read(member)).allowed).toBe(false);
      const young = await read(owner);
      expect(young.allowed).toBe(false);
      expect(young.reason).toMatch(/minute/);
      await age(post.id, 61);
      expect(await read(owner)).toMatchObject({ allowed: true, reason: null });
      expect(await read(member)).toMatchObject({ allowed: false, reason: expect.any(String) });
      await record(owner, post.id);
      expect(await read(owner)).toMatchObject({ allowed: false, reason: expect.any(String) });
      await w.refused(401, null, "GET", path);
    },

    "POST /api/posts/{postId}/record": async () => {
      const { post, owner, admin, member, outsider } = await oldPlace();
      const path = `/api/posts/${post.id}/record`;
      const first = await w.ok(200, done, owner, "POST", path);
      expect(first).toMatchObject({
        success: true,
        record: { contentHash: keccak256(stringToBytes(post.content)), recordCount: 1 },
      });
      expect((await record(admin, post.id)).recordCount).toBe(2);
      await w.refused(401, null, "POST", path);
      await w.refused(403, member, "POST", path);
      await w.refused(403, owner, "POST", path);
      await w.refused(403, outsider, "POST", path);
      await w.refused(403, await w.nameless(), "POST", path);
      await w.refused(404, owner, "POST", `/api/posts/${missing}/record`);
    },

    "GET /api/recorded": async () => {
      const { topic, post, owner, admin, member } = await oldPlace("private");
      const other = await w.post(member, topic.id);
      await age(other.id, 61);
      await record(owner, other.id);
      await record(admin, post.id);
      await record(owner, post.id);
      const ids = async (who: TestUser, query = "") =>
        (await w.ok(200, posts, who, "GET", `/api/recorded${query}`)).posts.map(({ id }) => id);
      expect(await ids(owner)).toEqual([post.id, other.id]);
      expect(await ids(owner, "?limit=1&offset=1")).toEqual([other.id]);
      expect(await ids(admin)).toEqual([post.id]);
      expect(await ids(member)).toEqual([]);
      await w.ok(200, z.looseObject({}), admin, "POST", `/api/topics/${topic.id}/leave`);
      expect(await ids(admin)).toEqual([]);
      await w.refused(401, null, "GET", "/api/recorded");
    },

    "GET /api/my/recorded-on-mine": async () => {
      const { topic, post, owner, member } = await oldPlace();
      await w.post(member, topic.id);
      await record(owner, post.id);
      const read = async (who: TestUser) =>
        (await w.ok(200, posts, who, "GET", "/api/my/recorded-on-mine")).posts.map(({ id }) => id);
      expect(await read(member)).toEqual([post.id]);
      expect(await read(owner)).toEqual([]);
      await w.refused(401, null, "GET", "/api/my/recorded-on-mine");
    },
  });

  rowSuite(recordStates, {
    "Post: editable -> locked by POST record": async () => {
      const { post, owner, member } = await oldPlace();
      const path = `/api/posts/${post.id}`;
      await w.ok(200, onePost, member, "PATCH", path, { title: "Before" });
      await record(owner, post.id);
      await w.refused(409, member, "PATCH", path, { title: "After" });
      expect((await w.ok(200, onePost, null, "GET", path)).post).toMatchObject({
        title: "Before",
        recordCount: 1,
      });
    },
  });

  rowSuite(recordLimits, {
    "recording: one hour old, 3 a day, once per user and post, not one's own": async () => {
      const { topic, owner, member } = await w.place();
      const made = [];
      for (let i = 0; i < 4; i += 1) made.push(await w.post(member, topic.id));
      const [first, second, third, fourth] = made;
      const path = (post = first) => `/api/posts/${post?.id}/record`;
      await age(first?.id ?? "", 59);
      await w.refused(403, owner, "POST", path());
      for (const { id } of made) await age(id, 61);
      await w.refused(403, member, "POST", path());
      await w.ok(200, done, owner, "POST", path());
      await w.refused(403, owner, "POST", path());
      await w.ok(200, done, owner, "POST", path(second));
      await w.ok(200, done, owner, "POST", path(third));
      await w.refused(403, owner, "POST", path(fourth));
    },
  });
});
