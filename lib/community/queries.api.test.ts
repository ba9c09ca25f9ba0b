import type { Kysely, QueryId } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/db/schema";
import type { Caller, MemberContext } from "@/lib/context";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { noSession } from "@/lib/testing/no-session";
import { appendedNothing } from "./counters";
import {
  getPost,
  getTopic,
  listBookmarks,
  listFeed,
  listMembers,
  listMyPosts,
  listMyUpvotes,
  listNotifications,
  listPosts,
  listReactions,
  listTags,
  listTopics,
  search,
} from "./index";
import { notify } from "./notifications/notify";
import { addTo, makePost, makeTopic, signIn } from "./testing";

/** A list asks the database as often for a hundred rows as for one: a page never costs a query per row. */
let h: Harness;
let owner: TestUser;
let other: TestUser;
let topicId: string;
let postId: string;
let queries = 0;
let ctx: MemberContext;

beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner, "public", "A topic of posts")).id;
  postId = (await makePost(owner, topicId)).id;
  await writeUnder(postId);
  other = await signIn(h, "other");
  await addTo(h.db, topicId, other);
  await answer(postId);
  const caller: Caller = {
    userId: owner.userId,
    nickname: owner.nickname,
    nicknameSet: true,
    verifiedAt: 0,
    at: new Date(),
    operator: null,
    session: noSession,
    automation: null,
  };
  ctx = { ...h.services, caller, db: countingDb() };
});
afterAll(() => h.close());

/** Puts the post into every list of the owner's own. */
async function writeUnder(id: string) {
  await owner.api.call(contract.comments.create, { postId: id, content: "c post" });
  await owner.api.call(contract.posts.vote, { postId: id, value: 1 });
  await owner.api.call(contract.posts.bookmark, { postId: id });
}

/** Notifies the owner. */
async function answer(id: string) {
  await other.api.call(contract.comments.create, { postId: id, content: "c" });
}

/** The harness's own database, noting what it is asked. */
function countingDb(): Kysely<Database> {
  const uncounted = new WeakSet<QueryId>();
  return h.services.db.withPlugin({
    transformQuery({ node, queryId }) {
      // Counted views are written some time after the answer.
      const views = node.kind === "RawNode" && node.sqlFragments.join().includes("set view_count");
      if (views) uncounted.add(queryId);
      return node;
    },
    // Queries that are compiled once come here each time they run.
    async transformResult({ result, queryId }) {
      if (!uncounted.has(queryId)) queries += 1;
      return result;
    },
  });
}

async function count(work: () => Promise<unknown>): Promise<number> {
  queries = 0;
  await work();
  return queries;
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
  "one post": () => getPost(ctx, { postId, sort: "old", limit: 500 }),
  reactions: () => listReactions(ctx, { postId }),
  members: () => listMembers(ctx, { topicId, ...page }),
  tags: () => listTags(ctx, {}),
  "tags of a topic": () => listTags(ctx, { topicId, q: "tag" }),
  "own posts": () => listMyPosts(ctx, page),
  likes: () => listMyUpvotes(ctx, page),
  bookmarks: () => listBookmarks(ctx, page),
  notifications: () => listNotifications(ctx, { unread: "false", ...page }),
  "unread notifications": () => listNotifications(ctx, { unread: "true", ...page }),
  "search, all": () => search(ctx, { q: "post", match: "all", ...page }),
  "search, comments": () => search(ctx, { q: "c", match: "all", type: "comments", ...page }),
};
const most: Record<keyof typeof lists, number> = {
  "topics, view=all": 2,
  "topics, joined": 2,
  "topics, filtered": 2,
  "one topic": 1,
  posts: 3,
  feed: 2,
  // What the words leave, ids, rows.
  "feed, my": 3,
  // And two of the cache, which counts the view and is not looked at here.
  "one post": 3,
  reactions: 1,
  members: 2,
  tags: 1,
  "tags of a topic": 2,
  "own posts": 2,
  likes: 2,
  bookmarks: 2,
  // Rows, and how many are unread.
  notifications: 2,
  "unread notifications": 2,
  // Topics, posts and comments: ids and rows of each; what the words leave of posts and of comments; the comments' posts.
  "search, all": 9,
  "search, comments": 4,
};

describe("queries per call", () => {
  it("do not grow with what is listed", async () => {
    const calls = Object.entries(lists);
    for (const [, list] of calls) await list();
    const few: Record<string, number> = {};
    for (const [name, list] of calls) few[name] = await count(list);
    expect(few).toEqual(most);

    for (let i = 0; i < 12; i += 1) {
      const topic = await makeTopic(owner, i % 2 ? "secret" : "public", `topic a ${i}`);
      for (let j = 0; j < 3; j += 1) {
        const { post } = await owner.api.call(contract.posts.create, {
          topicId: j === 0 ? topicId : topic.id,
          title: `post a ${i} ${j}`,
          content: "<p>c</p>",
          tags: [`tag ${i}`, `tag ${j}`],
          poll: { options: ["A", "B"] },
        });
        await writeUnder(post.id);
        if (j === 0) await answer(post.id);
      }
    }
    const many: Record<string, number> = {};
    for (const [name, list] of calls) many[name] = await count(list);
    expect(many).toEqual(few);
    expect((await listFeed(ctx, { sort: "hot", ...page })).posts.length).toBeGreaterThan(30);
    const { notifications } = await listNotifications(ctx, { unread: "true", ...page });
    expect(notifications.length).toBeGreaterThan(10);
  });

  it("do not grow with the number of notified users", async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => signIn(h)));
    const blockers = people.slice(5, 6);
    for (const { api } of blockers) await api.call(contract.users.block, { userId: owner.userId });
    const act = { topicId, actorId: owner.userId, now: new Date() };
    const tell = async (to: readonly TestUser[]) => {
      const ids = to.map(({ userId }) => userId);
      await ctx.db
        .transaction()
        .execute((trx) =>
          notify(trx, { publish: () => undefined, appended: appendedNothing() }, act, [
            { kind: "mention", to: ids, postId },
          ]),
        );
    };
    for (const [to, statements] of [
      [people.slice(0, 1), 2],
      [people, 2],
      [[owner], 0],
      // As many as for others, so that the time does not tell.
      [blockers, 2],
    ] as const) {
      expect(await count(() => tell(to))).toBe(statements);
    }
  });
});
