import { z } from "zod";
import { dateTime, uuid } from "./common";
import { LIMITS } from "./limits";
import { threadLevels } from "./notification-kinds";
import { operation } from "./operation";

const shared = { tag: "reading", auth: "required", nickname: false, guestsSee: false } as const;
const topic = { ...shared, access: "topic-insider", params: z.object({ topicId: uuid }) } as const;
const thread = { ...shared, access: "post-insider", params: z.object({ postId: uuid }) } as const;
const reads = { points: 300, seconds: 60 } as const;
const writes = { points: 120, seconds: 60 } as const;

const { most } = LIMITS.unread;
const count = z.int().min(0).max(most);

/** What is new in one place, and between which items. */
const unread = z
  .object({
    new: count.describe(
      "Written by others since the caller read it, at most 100, which stands for 100 and more.",
    ),
    first: uuid.nullable().describe("The oldest new item."),
    last: uuid
      .nullable()
      .describe("The newest item, new or not: what the caller has read once everything there is was shown."),
  })
  .meta({ id: "Unread" });

const topicState = z
  .object({
    readAt: dateTime.nullable().describe("When the caller last marked it; null if they never did."),
    posts: unread,
    chat: unread,
  })
  .meta({ id: "TopicReadState" });
export type TopicReading = z.infer<typeof topicState>;

const threadState = unread.extend({
  readAt: dateTime.nullable().describe("Null if the caller never marked it: then nothing is new."),
  level: z
    .enum(threadLevels)
    .describe('What of the comments reaches the caller: "follow" unless they chose.'),
});
export type ThreadReading = z.infer<typeof threadState>;

const rules =
  "Nothing counts that is deleted or hidden, that the caller wrote, or, unless they are staff of the topic, that someone they blocked wrote.";

const topicCounts = z.object({
  topicId: uuid,
  isMuted: z.boolean(),
  posts: count,
  chat: count,
  threads: count.describe("Posts whose comments the caller has read and that have new ones."),
});
export type TopicCounts = z.infer<typeof topicCounts>;

export const unreadCounts = operation({
  id: "reading.counts",
  method: "GET",
  path: "/api/my/unread",
  summary: "What is new in the caller's topics",
  description: `Topics without anything new are left out, as are all but the ${LIMITS.unread.topics} that were active last. Of the threads, the ${LIMITS.unread.threads} that the caller read last count. Muted topics are listed, and not part of the totals. ${rules} A number of ${most} stands for ${most} and more.`,
  ...shared,
  access: "signed-in",
  limit: reads,
  responses: {
    200: z.object({
      topics: z.array(topicCounts).max(LIMITS.unread.topics),
      totals: z.object({ posts: count, chat: count, threads: count }),
    }),
  },
});

export const topicReading = operation({
  id: "reading.topic",
  method: "GET",
  path: "/api/topics/{topicId}/read",
  summary: "How far the caller has read a topic's posts and chat",
  description: rules,
  ...topic,
  limit: reads,
  responses: { 200: topicState },
});

const items = z.object({
  postId: uuid.optional().describe("A post of the topic."),
  messageId: uuid.optional().describe("A message of its chat."),
});

export const readTopic = operation({
  id: "reading.readTopic",
  method: "PUT",
  path: "/api/topics/{topicId}/read",
  summary: "Mark posts and chat of a topic as read",
  description:
    "Up to `postId` and up to `messageId`; with neither, all there is. Marks only move forward, so devices may send theirs in any order.",
  ...topic,
  limit: writes,
  body: items,
  bodyOptional: true,
  responses: { 200: topicState },
  errors: ["post_not_found", "message_not_found"],
});

export const unreadTopic = operation({
  id: "reading.unreadTopic",
  method: "PUT",
  path: "/api/topics/{topicId}/unread",
  summary: "Mark posts from `postId` on, and chat from `messageId` on, as unread",
  description: "What was unread before stays so.",
  ...topic,
  limit: writes,
  body: items.refine(({ postId, messageId }) => postId !== undefined || messageId !== undefined, {
    error: "must have postId or messageId",
  }),
  responses: { 200: topicState },
  errors: ["post_not_found", "message_not_found"],
});

export const threadReading = operation({
  id: "reading.thread",
  method: "GET",
  path: "/api/posts/{postId}/read",
  summary: "How far the caller has read the comments of a post",
  description: rules,
  ...thread,
  limit: reads,
  responses: { 200: threadState },
});

export const readThread = operation({
  id: "reading.readThread",
  method: "PUT",
  path: "/api/posts/{postId}/read",
  summary: "Mark comments of a post as read",
  description:
    "Up to `commentId`; without it, all there is; with null, none, for a post without comments. From then on its new comments count. Marks only move forward.",
  ...thread,
  limit: writes,
  body: z.object({ commentId: uuid.nullish() }),
  bodyOptional: true,
  responses: { 200: threadState },
  errors: ["comment_not_found"],
});

export const unreadThread = operation({
  id: "reading.unreadThread",
  method: "PUT",
  path: "/api/posts/{postId}/unread",
  summary: "Mark comments of a post from `commentId` on as unread",
  description: "What was unread before stays so.",
  ...thread,
  limit: writes,
  body: z.object({ commentId: uuid }),
  responses: { 200: threadState },
  errors: ["comment_not_found"],
});
