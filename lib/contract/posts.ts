import { z } from "zod";
import { comment } from "./comments";
import { cursor, dateTime, nextCursor, pageLimit, pageOffset, text, uuid } from "./common";
import { operation } from "./operation";

/** The six reactions, exactly (design/api.md). The bare heart is accepted and stored with its selector. */
export const reactionEmojis = [
  "\u{1F44D}",
  "\u{2764}\u{FE0F}",
  "\u{1F525}",
  "\u{1F602}",
  "\u{1F389}",
  "\u{1F62E}",
] as const;

const httpsUrl = z.url({ protocol: /^https$/ }).max(2000);
const videoUrl = httpsUrl.regex(
  /^https:\/\/((www\.|m\.)?youtube\.com\/watch\?|youtu\.be\/|(www\.|player\.)?vimeo\.com\/)/,
  "must be a YouTube or Vimeo address",
);
export const mediaInput = z.object({
  images: z.array(httpsUrl).max(10).optional(),
  videos: z.array(videoUrl).max(3).optional(),
});
export const pollInput = z.object({
  question: text(300).optional(),
  options: z.array(text(80)).min(2).max(10),
  multipleChoice: z.boolean().default(false),
  closesAt: z.iso
    .datetime({ offset: true })
    .refine((s) => Date.parse(s) > Date.now(), { error: "must be in the future" })
    .optional(),
});

export const poll = z.object({
  id: uuid,
  postId: uuid,
  question: z.string().nullable(),
  multipleChoice: z.boolean(),
  closesAt: dateTime.nullable(),
  options: z.array(z.object({ id: uuid, text: z.string(), position: z.int(), voteCount: z.int() })),
  totalVotes: z.int(),
  userVotedOptionIds: z.array(uuid),
  isClosed: z.boolean(),
});
export type Poll = z.infer<typeof poll>;

export const reactionSummary = z.object({
  emoji: z.enum(reactionEmojis),
  count: z.int(),
  userReacted: z.boolean(),
});
export const tagRef = z.object({ name: z.string(), slug: z.string() });

export const post = z.object({
  id: uuid,
  topicId: uuid,
  topicTitle: z.string(),
  authorId: z.string(),
  title: z.string(),
  /** Sanitised HTML. */
  content: z.string(),
  /** Plain text of at most 280 characters, for lists. */
  summary: z.string(),
  /** Net upvotes. */
  upvoteCount: z.int(),
  viewCount: z.int(),
  commentCount: z.int(),
  score: z.number(),
  isPinned: z.boolean(),
  createdAt: dateTime,
  updatedAt: dateTime,
  authorNickname: z.string(),
  authorProfileImage: z.string().nullable(),
  userVoted: z.union([z.literal(1), z.literal(-1)]).nullable(),
  tags: z.array(tagRef),
  media: z.object({ images: z.array(z.string()), videos: z.array(z.string()) }),
  poll: poll.nullable(),
  reactions: z.array(reactionSummary),
  recordCount: z.int(),
  isDeleted: z.boolean(),
  deletedAt: dateTime.nullable(),
  userBookmarked: z.boolean(),
  userRecorded: z.boolean(),
});
export type Post = z.infer<typeof post>;

export const postSorts = ["hot", "new", "top", "active", "recorded"] as const;
const topicParams = z.object({ topicId: uuid });
const postParams = z.object({ postId: uuid });

export const listPosts = operation({
  id: "posts.list",
  method: "GET",
  path: "/api/topics/{topicId}/posts",
  summary: "Posts of a topic, pinned first",
  tag: "posts",
  auth: "optional",
  nickname: false,
  access: "topic-content",
  limit: { points: 300, seconds: 60 },
  params: topicParams,
  query: z.object({
    limit: pageLimit(20, 100),
    offset: pageOffset,
    cursor,
    tag: z.string().max(100).optional(),
    sort: z.enum(postSorts).default("hot"),
  }),
  responses: { 200: z.object({ posts: z.array(post), nextCursor }) },
  errors: ["topic_not_found", "not_a_member"],
});

export const createPost = operation({
  id: "posts.create",
  method: "POST",
  path: "/api/topics/{topicId}/posts",
  summary: "Write a post; post, tags and poll are one transaction",
  tag: "posts",
  auth: "required",
  nickname: true,
  access: "topic-member",
  limit: { points: 20, seconds: 60 },
  params: topicParams,
  body: z.object({
    title: text(200),
    /** HTML, sanitised on write. */
    content: text(50_000),
    tags: z.array(text(50)).max(5).optional(),
    media: mediaInput.optional(),
    poll: pollInput.optional(),
  }),
  responses: { 201: z.object({ post }) },
  errors: ["topic_not_found", "not_a_member"],
});

export const getPost = operation({
  id: "posts.get",
  method: "GET",
  path: "/api/posts/{postId}",
  summary: "One post with its comments; counts a view",
  tag: "posts",
  auth: "optional",
  nickname: false,
  access: "post-content",
  limit: { points: 300, seconds: 60 },
  params: postParams,
  query: z.object({ limit: pageLimit(200, 500), cursor }),
  responses: {
    200: z.object({
      post,
      /** Oldest first; threads by parentId. */
      comments: z.array(comment),
      nextCursor,
    }),
  },
  errors: ["post_not_found", "not_a_member"],
});

export const vote = operation({
  id: "posts.vote",
  method: "POST",
  path: "/api/posts/{postId}/vote",
  summary: "Vote; the same value again removes it, the opposite switches it",
  tag: "posts",
  auth: "required",
  nickname: true,
  access: "post-member",
  limit: { points: 60, seconds: 60 },
  params: postParams,
  body: z.object({ value: z.union([z.literal(1), z.literal(-1)], { error: "must be 1 or -1" }) }),
  responses: {
    200: z.object({
      vote: z.object({ value: z.union([z.literal(1), z.literal(-1)]) }).nullable(),
      upvoteCount: z.int(),
    }),
  },
  errors: ["post_not_found", "not_a_member"],
});

export const feed = operation({
  id: "feed.list",
  method: "GET",
  path: "/api/feed",
  summary: "Posts of every topic the caller may read",
  tag: "posts",
  auth: "optional",
  nickname: false,
  access: "anyone",
  limit: { points: 300, seconds: 60 },
  query: z.object({
    view: z.enum(["my"]).optional(),
    sort: z.enum(postSorts).default("hot"),
    tag: z.string().max(100).optional(),
    category: z.string().max(100).optional(),
    q: z.string().max(200).optional(),
    limit: pageLimit(20, 100),
    offset: pageOffset,
    cursor,
  }),
  responses: { 200: z.object({ posts: z.array(post), nextCursor }) },
  errors: ["category_not_found"],
});
