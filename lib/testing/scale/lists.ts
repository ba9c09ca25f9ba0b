import * as community from "@/lib/community";
import { readOpenWork } from "@/lib/community/desk/open-work";
import { encodeCursor, encodeParts } from "@/lib/community/paging";
import { recalculateTopicScore } from "@/lib/community/topics/score";
import type { MemberContext } from "@/lib/context";
import { contract } from "@/lib/contract";
import { postSorts } from "@/lib/contract/posts";
import { topicSorts } from "@/lib/contract/topics";
import { sitemap, sitemapPart } from "@/lib/metadata/sitemap";
import type { Filled } from "./fill";

/** An id that nothing has. */
const nobodys = "00000000-0000-4000-8000-000000000000";

interface Page {
  readonly limit: number;
  readonly offset?: number;
  readonly cursor?: string;
}

/** A list or other read of the API, on a filled database. */
export interface Read {
  readonly name: string;
  readonly read: (page: Page) => Promise<unknown>;
  /** Rows it has at least, as a part of all posts; 0 for what has no second page. */
  readonly share: number;
  /** The cursor after this many rows, where the list takes no offset. */
  readonly cursorAfter?: (rows: number) => Promise<string>;
}

/** Every read of the API that touches a table which grows. */
export function reads(ctx: MemberContext, at: Filled): Read[] {
  return [
    ...topics(ctx),
    ...posts(ctx, at),
    ...feed(ctx),
    ...own(ctx),
    ...inside(ctx, at),
    ...desk(ctx),
    ...found(ctx),
    ...small(ctx, at),
  ];
}

function topics(ctx: MemberContext): Read[] {
  const list = (query: object) => (page: Page) =>
    community.listTopics(ctx, contract.topics.list.query.parse({ ...query, ...page }));
  return [
    ...topicSorts.flatMap((sort) => [
      { name: `topics by ${sort}`, read: list({ view: "all", sort }), share: 0.22 },
      {
        name: `topics of a category by ${sort}`,
        read: list({ view: "all", sort, category: "general" }),
        share: 0.018,
      },
    ]),
    { name: "topics, joined", read: list({}), share: 0 },
    { name: "topics with a word", read: list({ view: "all", q: "word7" }), share: 0 },
    { name: "topics with two letters", read: list({ view: "all", q: "rd" }), share: 0 },
  ];
}

function posts(ctx: MemberContext, { topicId, privateId }: Filled): Read[] {
  const list = (query: object) => (page: Page) =>
    community.listPosts(ctx, { topicId, ...contract.posts.list.query.parse({ ...query, ...page }) });
  return [
    ...postSorts.flatMap((sort) => [
      { name: `posts of a topic by ${sort}`, read: list({ sort }), share: 0.24 },
      { name: `posts with a tag by ${sort}`, read: list({ sort, tag: "tag-1" }), share: 0.12 },
      { name: `posts with a rare tag by ${sort}`, read: list({ sort, tag: "tag-2" }), share: 0 },
    ]),
    {
      // In a private topic that has a tenth of all posts; elsewhere an eighth of them has the tag.
      name: "posts of a topic with a tag of other topics",
      read: (page) =>
        community.listPosts(ctx, {
          topicId: privateId,
          ...contract.posts.list.query.parse({ ...page, tag: "tag-1" }),
        }),
      share: 0,
    },
    { name: "posts with no such tag", read: list({ tag: "tag-0" }), share: 0 },
    {
      name: "posts of a private topic",
      read: (page) =>
        community.listPosts(ctx, { topicId: privateId, ...contract.posts.list.query.parse(page) }),
      share: 0.09,
    },
  ];
}

function feed(ctx: MemberContext): Read[] {
  const list = (query: object) => (page: Page) =>
    community.listFeed(ctx, contract.feed.list.query.parse({ ...query, ...page }));
  const guest = { ...ctx, caller: null };
  return [
    ...postSorts.flatMap((sort) => [
      { name: `feed by ${sort}`, read: list({ sort }), share: 0.6 },
      { name: `feed of a category by ${sort}`, read: list({ sort, category: "blockchain" }), share: 0.25 },
      { name: `feed with a tag by ${sort}`, read: list({ sort, tag: "tag-1" }), share: 0.12 },
      { name: `feed of one's own topics by ${sort}`, read: list({ sort, view: "my" }), share: 0.25 },
    ]),
    {
      name: "feed of a guest",
      read: (page: Page) => community.listFeed(guest, contract.feed.list.query.parse(page)),
      share: 0.6,
    },
    { name: "feed with a rare tag", read: list({ tag: "tag-2" }), share: 0 },
    { name: "feed with a common word", read: list({ q: "everywhere" }), share: 0.6 },
    { name: "feed with a rare word", read: list({ q: "seldom" }), share: 0 },
    { name: "feed with no such word", read: list({ q: "nowhere" }), share: 0 },
    { name: "feed with two letters", read: list({ q: "ev" }), share: 0 },
    { name: "feed with no such two letters", read: list({ q: "qx" }), share: 0 },
  ];
}

function own(ctx: MemberContext): Read[] {
  const query = (page: Page) => contract.my.posts.query.parse(page);
  return [
    { name: "own posts", read: (page) => community.listMyPosts(ctx, query(page)), share: 0.2 },
    { name: "likes", read: (page) => community.listMyUpvotes(ctx, query(page)), share: 0.16 },
    { name: "bookmarks", read: (page) => community.listBookmarks(ctx, query(page)), share: 0.2 },
    { name: "recorded", read: (page) => community.listRecorded(ctx, query(page)), share: 0 },
    { name: "own records", read: (page) => community.listMyRecorded(ctx, query(page)), share: 0 },
    {
      name: "recorded on one's own",
      read: (page) => community.listRecordedOnMine(ctx, query(page)),
      share: 0.03,
    },
  ];
}

function inside(ctx: MemberContext, { topicId, privateId, postId }: Filled): Read[] {
  const { db } = ctx;
  const rowOf = (table: "comments" | "reports" | "sanctions", row: number) => {
    const latest = table === "sanctions";
    return db
      .selectFrom(table)
      .select(["id", "created_at"])
      .where(table === "comments" ? "post_id" : "topic_id", "=", table === "comments" ? postId : topicId)
      .orderBy("created_at", latest ? "desc" : "asc")
      .offset(row - 1)
      .limit(1)
      .executeTakeFirstOrThrow();
  };
  /** The cursor after a row of a table that is listed by time, as that list writes it. */
  const byTime = async (sort: string, table: "comments" | "reports" | "sanctions", row: number) => {
    const found = await rowOf(table, row);
    return encodeCursor({ sort, key: found.created_at.getTime(), id: found.id });
  };
  return [
    {
      name: "comments",
      read: (page) => community.getPost(ctx, { postId, ...contract.posts.get.query.parse(page) }),
      share: 0.24,
      cursorAfter: (rows) => byTime("oldest", "comments", rows),
    },
    {
      // Its cursor is a comment; without one it looks for the comment that is not there.
      name: "the page of a comment",
      read: ({ limit, cursor: comment = nobodys }) =>
        community.getPost(ctx, { postId, ...contract.posts.get.query.parse({ limit, comment }) }),
      share: 0.24,
      cursorAfter: async (rows) => (await rowOf("comments", rows)).id,
    },
    {
      name: "members",
      read: (page) => community.listMembers(ctx, { topicId, ...contract.members.list.query.parse(page) }),
      share: 0.25,
    },
    {
      name: "members by nickname",
      read: (page) =>
        community.listMembers(ctx, {
          topicId,
          ...contract.members.list.query.parse({ ...page, q: "nick12" }),
        }),
      share: 0,
    },
    {
      name: "members by a letter",
      read: (page) =>
        community.listMembers(ctx, { topicId, ...contract.members.list.query.parse({ ...page, q: "n" }) }),
      share: 0,
    },
    ...([undefined, "all"] as const).flatMap((status): Read[] => [
      {
        name: `requests, ${status ?? "pending"}`,
        read: (page) =>
          community.listRequests(ctx, {
            topicId: privateId,
            ...contract.requests.list.query.parse({ ...page, status }),
          }),
        share: status ? 0.25 : 0.16,
      },
      {
        name: `reports, ${status ?? "open"}`,
        read: (page) =>
          community.listReports(ctx, {
            topicId,
            ...contract.moderation.reports.query.parse({ ...page, status }),
          }),
        share: status ? 0.24 : 0.12,
        cursorAfter: (rows) => byTime(status ?? "open", "reports", rows),
      },
    ]),
    {
      name: "sanctions",
      read: (page) =>
        community.listSanctions(ctx, { topicId, ...contract.moderation.sanctions.query.parse(page) }),
      share: 0.22,
      cursorAfter: (rows) => byTime("sanctions", "sanctions", rows),
    },
    {
      name: "log",
      read: (page) => community.readLog(ctx, { topicId, ...contract.moderation.log.query.parse(page) }),
      share: 0.25,
      cursorAfter: async (rows) => {
        const last = await db
          .selectFrom("moderation_log")
          .select((eb) => eb.fn.max<number>("seq").as("seq"))
          .executeTakeFirstOrThrow();
        return encodeParts(["log", last.seq - rows]);
      },
    },
  ];
}

/** The queues of staff and operators, and the operators' log. */
function desk(member: MemberContext): Read[] {
  const ctx: MemberContext = { ...member, caller: { ...member.caller, operator: "operator" } };
  const { db } = ctx;
  return [
    {
      name: "queue of one's topics",
      read: (page) => community.listCases(ctx, contract.moderation.queue.query.parse(page)),
      share: 0,
    },
    { name: "how much work is open", read: () => readOpenWork(db, ctx.caller), share: 0 },
    ...([undefined, "all"] as const).map((status): Read => {
      const reports = db
        .selectFrom("desk_reports")
        .select(["id", "created_at"])
        .$if(status === undefined, (query) => query.where("status", "=", "open"))
        .orderBy("created_at");
      return {
        name: `reports to operators, ${status ?? "open"}`,
        read: (page) =>
          community.listDeskReports(ctx, contract.desk.reports.query.parse({ ...page, status })),
        share: status ? 0.18 : 0.03,
        cursorAfter: async (rows) => {
          const { id, created_at } = await reports
            .offset(rows - 1)
            .limit(1)
            .executeTakeFirstOrThrow();
          return encodeCursor({ sort: `desk-${status ?? "open"}`, key: created_at.getTime(), id });
        },
      };
    }),
    {
      name: "log of the installation",
      read: (page) => community.readInstallationLog(ctx, contract.desk.log.query.parse(page)),
      share: 0.25,
      cursorAfter: async (rows) => {
        const last = await db
          .selectFrom("installation_log")
          .select((eb) => eb.fn.max<number>("seq").as("seq"))
          .executeTakeFirstOrThrow();
        return encodeParts(["installation", last.seq - rows]);
      },
    },
  ];
}

/** Begins a word in one of 100,000 posts. */
export const RARE_BEGINNING = "number12345";

function found(ctx: MemberContext): Read[] {
  const guest = { ...ctx, caller: null };
  const queries = [
    "everywhere",
    "seldom",
    RARE_BEGINNING,
    "word7",
    "word7 number",
    "illeresque",
    "ev",
    "filler text",
  ];
  return queries.flatMap((q) =>
    [undefined, "topics", "posts", "comments"].flatMap((type): Read[] => [
      {
        name: `search ${type ?? "all"} for ${q}`,
        read: (page) => community.search(ctx, contract.search.all.query.parse({ q, type, ...page })),
        share: 0,
      },
      {
        name: `search ${type ?? "all"} for ${q}, guest`,
        read: (page) => community.search(guest, contract.search.all.query.parse({ q, type, ...page })),
        share: 0,
      },
    ]),
  );
}

function small(ctx: MemberContext, { topicId, postId }: Filled): Read[] {
  const tags = (query: { q?: string; topicId?: string }) => () => community.listTags(ctx, query);
  return [
    { name: "what is new in one's topics", read: () => community.countUnread(ctx, {}), share: 0 },
    { name: "what is new in a topic", read: () => community.getTopicReading(ctx, { topicId }), share: 0 },
    { name: "what is new in a thread", read: () => community.getThreadReading(ctx, { postId }), share: 0 },
    { name: "one topic", read: () => community.getTopic(ctx, { topicId }), share: 0 },
    { name: "records of a post", read: () => community.listRecords(ctx, { postId }), share: 0 },
    { name: "record status", read: () => community.getRecordStatus(ctx, { postId }), share: 0 },
    { name: "reactions", read: () => community.listReactions(ctx, { postId }), share: 0 },
    { name: "tags", read: tags({}), share: 0 },
    { name: "tags that begin so", read: tags({ q: "tag-1" }), share: 0 },
    { name: "tags of a topic", read: tags({ topicId }), share: 0 },
    { name: "tags of a topic that begin so", read: tags({ topicId, q: "tag-1" }), share: 0 },
    { name: "statistics", read: () => community.getStats(ctx), share: 0 },
    { name: "sitemap", read: () => sitemap(ctx), share: 0 },
    // Parts as there are of a million posts.
    { name: "sitemap of posts", read: () => sitemapPart(ctx, "posts-7a"), share: 0 },
    { name: "sitemap of topics", read: () => sitemapPart(ctx, "topics-7a"), share: 0 },
    {
      name: "score of a topic",
      read: () => recalculateTopicScore(ctx.db, topicId, new Date("2025-01-03T00:00:00Z")),
      share: 0,
    },
  ];
}
