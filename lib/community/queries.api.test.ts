import { Kysely, PGliteDialect } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/db/schema";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import type { Caller, Context } from "./context";
import { getPost, getTopic, listFeed, listPosts, listTopics } from "./index";
import { makePost, makeTopic, signIn } from "./testing";

/** A list asks the database as often for a hundred rows as for one: a page never costs a query per row. */
let h: Harness;
let owner: TestUser;
let topicId: string;
let postId: string;
let queries: string[] = [];
let ctx: Context;

beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  postId = (await makePost(owner, topicId)).id;
  await owner.api.call(contract.comments.create, { postId, content: "c" });
  const caller: Caller = {
    userId: owner.userId,
    nickname: owner.nickname,
    nicknameSet: true,
    verifiedAt: 0,
    isAdmin: false,
    jti: "",
  };
  ctx = { ...h.services, caller, db: countingDb() };
});
afterAll(() => h.close());

/** The harness's own database behind a Kysely that notes what it is asked. */
function countingDb(): Kysely<Database> {
  const { pglite } = h.services.database;
  if (!pglite) throw new Error("the harness is embedded");
  return new Kysely<Database>({
    dialect: new PGliteDialect({ pglite }),
    log: (event) => {
      // Counted views are written some time after the answer.
      if (!event.query.sql.includes("set view_count")) queries.push(event.query.sql);
    },
  });
}

async function count(work: () => Promise<unknown>): Promise<number> {
  queries = [];
  await work();
  return queries.length;
}

const page = { limit: 100, offset: 0 };
const lists = {
  "topics, view=all": () => listTopics(ctx, { view: "all", sort: "hot", ...page }),
  "topics, joined": () => listTopics(ctx, { sort: "hot", ...page }),
  "topics, filtered": () =>
    listTopics(ctx, { view: "all", sort: "hot", category: "general", q: "a", ...page }),
  "one topic": () => getTopic(ctx, { topicId }),
  posts: () => listPosts(ctx, { topicId, sort: "hot", ...page }),
  feed: () => listFeed(ctx, { sort: "hot", ...page }),
  "feed, my": () => listFeed(ctx, { view: "my", sort: "hot", category: "general", q: "a", ...page }),
  "one post": () => getPost(ctx, { postId, limit: 500 }),
};
const most: Record<keyof typeof lists, number> = {
  "topics, view=all": 2,
  "topics, joined": 2,
  "topics, filtered": 2,
  "one topic": 1,
  posts: 3,
  feed: 2,
  "feed, my": 2,
  // And two of the cache, which counts the view and is not looked at here.
  "one post": 3,
};

describe("queries per call", () => {
  it("do not grow with what is listed", async () => {
    const names = Object.keys(lists) as (keyof typeof lists)[];
    for (const name of names) await lists[name]();
    const few: Record<string, number> = {};
    for (const name of names) few[name] = await count(lists[name]);
    expect(few).toEqual(most);

    for (let i = 0; i < 12; i += 1) {
      const topic = await makeTopic(owner, i % 2 ? "secret" : "public", `topic a ${i}`);
      for (let j = 0; j < 3; j += 1) {
        await owner.api.call(contract.posts.create, {
          topicId: j === 0 ? topicId : topic.id,
          title: `post a ${i} ${j}`,
          content: "<p>c</p>",
          tags: [`tag ${i}`, `tag ${j}`],
          poll: { options: ["A", "B"] },
        });
      }
    }
    const many: Record<string, number> = {};
    for (const name of names) many[name] = await count(lists[name]);
    expect(many).toEqual(few);
    expect((await listFeed(ctx, { sort: "hot", ...page })).posts.length).toBeGreaterThan(30);
  });
});
