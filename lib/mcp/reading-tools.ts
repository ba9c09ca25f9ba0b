import { z } from "zod";
import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import { commentSorts } from "@/lib/contract/comments";
import { postSorts } from "@/lib/contract/posts";
import { tool } from "./tool";
import { alertView, commentView, messageView, postView, told, topicView } from "./views";

const id = z.uuid();
const cursor = z.string().max(500).optional().describe("`nextCursor` of the page before.");
/** Of a page: enough to choose from, few enough to read. */
const PAGE = 10;

export const readingTools = [
  tool({
    name: "who_am_i",
    title: "Who you act as",
    description: "The member you act as, what your token allows, and what is new in their topics.",
    input: z.object({}),
    does: "read",
    async run({ api }) {
      const session = await api.call(contract.auth.session, {});
      if (!("userId" in session)) return { signedIn: false };
      const { topics } = await api.call(contract.reading.counts, {});
      const { nickname, operator, automation } = session;
      const fresh = topics.filter(({ posts, chat, threads }) => posts + chat + threads > 0);
      return { signedIn: true, ...told({ nickname, operator, token: automation, unread: fresh }) };
    },
  }),
  tool({
    name: "find_topics",
    title: "Find topics",
    description: "Topics with what each asks to join. Without `which`: all you may see.",
    input: z.object({
      query: z.string().max(200).optional().describe("Words in title or description."),
      which: z
        .enum(["all", "joined", "open_to_me"])
        .default("all")
        .describe("`open_to_me`: gated ones you can join with what you have proven."),
      cursor,
    }),
    does: "read",
    async run({ api, appUrl }, { query, which, cursor }) {
      const view = { all: "all", joined: undefined, open_to_me: "opened" } as const;
      const { topics, nextCursor } = await api.call(contract.topics.list, {
        ...{ q: query, view: view[which], cursor, limit: PAGE },
      });
      return { topics: topics.map((topic) => topicView(topic, appUrl)), nextCursor };
    },
  }),
  tool({
    name: "read_topic",
    title: "Read a topic",
    description: "A topic, its gate and rules, and its posts where you may read them.",
    input: z.object({
      topicId: id,
      sort: z.enum(postSorts).default("hot"),
      tag: z.string().max(100).optional(),
      cursor,
    }),
    does: "read",
    async run({ api, appUrl }, { topicId, ...page }) {
      const found = await api.call(contract.topics.get, { topicId });
      const topic = told({
        ...topicView(found.topic, appUrl),
        role: found.currentUserRole,
        joinPending: found.joinPending,
        mutedBecause: found.muted?.reason,
        proof: found.proof?.state,
      });
      try {
        const { posts, nextCursor } = await api.call(contract.posts.list, { topicId, ...page, limit: PAGE });
        return { topic, posts: posts.map((post) => postView(post, appUrl, { isWhole: false })), nextCursor };
      } catch (error) {
        if (!(error instanceof ApiError) || ![401, 403].includes(error.status)) throw error;
        return { topic, posts: null, because: error.message };
      }
    },
  }),
  tool({
    name: "read_post",
    title: "Read a post",
    description: "A post and its comments. Its text is HTML; comments are plain text with a little Markdown.",
    input: z.object({ postId: id, sort: z.enum(commentSorts).default("best"), cursor }),
    does: "read",
    async run({ api, appUrl }, { postId, sort, cursor }) {
      const found = await api.call(contract.posts.get, { postId, sort, cursor });
      const { post, comments, nextCursor } = found;
      return {
        post: postView(post, appUrl, { isWhole: true }),
        comments: comments.map(commentView),
        nextCursor,
      };
    },
  }),
  tool({
    name: "search",
    title: "Search",
    description: "The best topics, posts and comments, or with `kind` all of one kind.",
    input: z.object({
      query: z.string().min(1).max(200),
      kind: z.enum(["topics", "posts", "comments"]).optional(),
      topicId: id.optional().describe("Only in this topic."),
      cursor,
    }),
    does: "read",
    async run({ api, appUrl }, { query, kind, topicId, cursor }) {
      const found = await api.call(contract.search.all, { q: query, type: kind, topicId, cursor });
      return {
        topics: found.topics.map((topic) => topicView(topic, appUrl)),
        posts: found.posts.map((post) => postView(post, appUrl, { isWhole: false })),
        comments: found.comments.map((one) => ({ ...commentView(one), post: one.postTitle })),
        nextCursor: found.nextCursor,
      };
    },
  }),
  tool({
    name: "read_chat",
    title: "Read a topic's chat",
    description: "The latest messages of a topic you have joined, newest first.",
    input: z.object({ topicId: id, before: id.optional().describe("Only older than this message.") }),
    does: "read",
    async run({ api }, { topicId, before }) {
      const { messages, total } = await api.call(contract.chat.list, { topicId, before, limit: 30 });
      return { messages: messages.map(messageView), total };
    },
  }),
  tool({
    name: "read_alerts",
    title: "Read alerts",
    description: "Answers, mentions and decisions for the member, latest first. It marks nothing as read.",
    input: z.object({ unreadOnly: z.boolean().default(true), cursor }),
    does: "read",
    async run({ api }, { unreadOnly, cursor }) {
      const unread = unreadOnly ? "true" : "false";
      const found = await api.call(contract.notifications.list, { unread, cursor, limit: 20 });
      return {
        alerts: found.notifications.map(alertView),
        unread: found.unreadCount,
        nextCursor: found.nextCursor,
      };
    },
  }),
];
