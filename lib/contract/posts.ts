import { z } from "zod";
import { ABILITIES } from "./abilities";
import { anonymousAuthor } from "./anonymous-author";
import { comment, commentSorts } from "./comments";
import {
  cursor,
  dateTime,
  mentions,
  nextCursor,
  pageFields,
  pageLimit,
  rawText,
  removalBody,
  text,
  uuid,
} from "./common";
import { imageErrors, LIMITS } from "./limits";
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

/** A reaction in a request. */
export const reactionEmoji = z
  .union([z.enum(reactionEmojis), z.literal("\u{2764}")], {
    error: `must be one of: ${reactionEmojis.join(" ")}`,
  })
  .transform((emoji) => (emoji === "\u{2764}" ? "\u{2764}\u{FE0F}" : emoji));

const httpsUrl = z.url({ protocol: /^https$/ }).max(2000);
/** Images elsewhere must be https; http is for uploads of a development installation without a certificate. */
const imageUrl = z.url({ protocol: /^https?$/ }).max(2000);
const videoUrl = httpsUrl.regex(
  /^https:\/\/((www\.|m\.)?youtube\.com\/watch\?|youtu\.be\/|(www\.|player\.)?vimeo\.com\/)/,
  "must be a YouTube or Vimeo address",
);
const mediaInput = z.object({
  images: z.array(imageUrl).max(LIMITS.post.images).optional(),
  videos: z.array(videoUrl).max(LIMITS.post.videos).optional(),
});
export const pollInput = z.object({
  question: text(LIMITS.poll.question).optional(),
  options: z.array(text(LIMITS.poll.option)).min(LIMITS.poll.minOptions).max(LIMITS.poll.maxOptions),
  multipleChoice: z.boolean().default(false),
  isSecret: z
    .boolean()
    .optional()
    .describe("Whether the topic's crowd, as it is now, votes by secret ballots. It stays so."),
  closesAt: z
    .string()
    // Checked before the format: the rest of the body may be fourteen megabytes long.
    .max(64)
    .meta({ openapi: { type: "string", format: "date-time" } })
    .pipe(
      z.iso
        .datetime({ offset: true })
        .refine((s) => Date.parse(s) > Date.now(), { error: "must be in the future" }),
    )
    .optional(),
});

/** Changes to a poll; without `options` it keeps the ones it has. */
export const pollPatch = z.object({
  question: text(LIMITS.poll.question).nullable().optional(),
  options: pollInput.shape.options.optional(),
  multipleChoice: z.boolean().optional(),
  closesAt: pollInput.shape.closesAt.unwrap().nullable().optional(),
});

export const poll = z
  .object({
    id: uuid,
    postId: uuid,
    question: z.string().nullable(),
    multipleChoice: z.boolean(),
    closesAt: dateTime.nullable(),
    options: z.array(z.object({ id: uuid, text: z.string(), position: z.int(), voteCount: z.int() })),
    totalVotes: z.int(),
    userVotedOptionIds: z.array(uuid),
    isClosed: z.boolean(),
    secret: z
      .object({ root: z.int(), crowd: z.int() })
      .nullable()
      .describe(
        "Of a poll with secret ballots: who casts them, as the number of the crowd's root and its size; null where votes have names.",
      ),
  })
  .meta({ id: "Poll" });
export type Poll = z.infer<typeof poll>;

export const reactionSummary = z
  .object({
    emoji: z.enum(reactionEmojis),
    count: z.int(),
    userReacted: z.boolean(),
  })
  .meta({ id: "ReactionSummary" });
const tagRef = z.object({ name: z.string(), slug: z.string() });

export const post = z
  .object({
    id: uuid,
    topicId: uuid,
    topicTitle: z.string(),
    authorId: z.string(),
    title: z.string(),
    content: z.string().describe("Sanitized HTML."),
    summary: z.string().describe("Plain text of at most 280 characters, for lists."),
    upvoteCount: z.int().describe("Net upvotes."),
    viewCount: z.int(),
    commentCount: z.int(),
    score: z.number(),
    isPinned: z.boolean(),
    createdAt: dateTime,
    updatedAt: dateTime,
    authorNickname: z.string(),
    authorProfileImage: z.string().nullable(),
    anonymous: anonymousAuthor
      .nullable()
      .describe(
        "The author of an anonymous post, of whom nothing is known but the crowd; null for a post with an author.",
      ),
    automated: z.boolean(),
    authorDomains: z
      .array(z.string())
      .describe("Domains the author shows beside their name, proven within the last 30 days."),
    userVoted: z.union([z.literal(1), z.literal(-1)]).nullable(),
    tags: z.array(tagRef),
    mentions,
    media: z.object({ images: z.array(z.string()), videos: z.array(z.string()) }),
    poll: poll.nullable(),
    reactions: z.array(reactionSummary),
    recordCount: z.int(),
    isDeleted: z.boolean(),
    isHidden: z
      .boolean()
      .describe("Hidden by the topic's staff: in no list, and empty for everyone but staff and the author."),
    isFolded: z.boolean().describe("The caller blocked its author: show it folded."),
    deletedAt: dateTime.nullable(),
    userBookmarked: z.boolean(),
    userRecorded: z.boolean(),
    abilities: z.array(z.enum(ABILITIES.post)).describe("What the caller may do with it."),
  })
  .meta({ id: "Post" });
export type Post = z.infer<typeof post>;

export const postSorts = ["hot", "new", "top", "active", "recorded"] as const;

/** Room for the text and 10 MB of images in base64. */
const POST_BYTES = 14_500_000;
/** At most `LIMITS.post.html` characters once its inline images moved to storage; a request may be longer. */
const postHtml = rawText(POST_BYTES);
const topicParams = z.object({ topicId: uuid });
const postParams = z.object({ postId: uuid });

const write = { tag: "posts", auth: "required", nickname: true, limit: { points: 60, seconds: 60 } } as const;
const read = {
  tag: "posts",
  auth: "optional",
  nickname: false,
  limit: { points: 300, seconds: 60 },
} as const;

export const listPosts = operation({
  id: "posts.list",
  method: "GET",
  path: "/api/topics/{topicId}/posts",
  summary: "Posts of a topic, pinned first",
  ...read,
  access: "topic-content",
  sameForGuests: true,
  params: topicParams,
  query: z.object({
    ...pageFields(20, 100),
    tag: z.string().max(100).optional(),
    sort: z.enum(postSorts).default("hot"),
  }),
  responses: { 200: z.object({ posts: z.array(post), nextCursor }) },
});

const contentFormat = z
  .enum(["html", "markdown"])
  .optional()
  .describe(
    "What `content` is written in; without it HTML. Markdown is that of GitHub, with line breaks as they are; it is stored as HTML.",
  );

/** A new post. */
export const postInput = z.object({
  title: text(LIMITS.post.title),
  content: postHtml.describe("The text, in HTML or as `format` says. It is sanitized when it is written."),
  format: contentFormat,
  tags: z.array(text(LIMITS.post.tag)).max(LIMITS.post.tags).optional(),
  media: mediaInput.optional(),
  poll: pollInput.optional(),
});

export const createPost = operation({
  id: "posts.create",
  method: "POST",
  path: "/api/topics/{topicId}/posts",
  summary: "Write a post; post, tags and poll are one transaction",
  ...write,
  access: "topic-member",
  limit: { points: 20, seconds: 60 },
  params: topicParams,
  maxBytes: POST_BYTES,
  body: postInput,
  responses: { 201: z.object({ post }) },
  errors: [
    ...(["new_account_limit", "duplicate_text", "slow_mode", "links_too_early"] as const),
    ...(["anonymous_off", "crowd_too_small"] as const),
    ...imageErrors,
  ],
});

export const getPost = operation({
  id: "posts.get",
  method: "GET",
  path: "/api/posts/{postId}",
  summary: "One post with its comments; counts a view",
  description:
    "With `comment`, the id of a comment of this post, the page on which it stands, oldest first, wherever `cursor` and `sort` lead; any other id gives the first page. `sort` orders the comments: `old`, `new`, or `best` with most upvotes first. `pageCursor` says where the page begins, null for the first.",
  ...read,
  access: "post-content",
  params: postParams,
  query: z.object({
    limit: pageLimit(200, 500),
    cursor,
    comment: uuid.optional(),
    sort: z.enum(commentSorts).default("old"),
  }),
  responses: {
    200: z.object({
      post,
      comments: z.array(comment).describe("In the order asked for; threads by parentId."),
      nextCursor,
      pageCursor: nextCursor,
    }),
  },
});

export const updatePost = operation({
  id: "posts.update",
  method: "PATCH",
  path: "/api/posts/{postId}",
  summary: "Change a post; tags and media replace, poll null removes it",
  description:
    "A poll's options are frozen once anybody voted: sending the same options, or none, keeps them and changes question and closesAt only.",
  ...write,
  access: "post-author",
  limit: { points: 30, seconds: 60 },
  params: postParams,
  maxBytes: POST_BYTES,
  body: z.object({
    title: text(LIMITS.post.title).optional(),
    content: postHtml.optional().describe("The new text, in HTML or as `format` says."),
    format: contentFormat,
    tags: z.array(text(LIMITS.post.tag)).max(LIMITS.post.tags).optional(),
    media: mediaInput.optional(),
    poll: pollPatch.nullable().optional(),
  }),
  responses: { 200: z.object({ post }) },
  errors: [
    "nothing_to_change",
    "post_recorded",
    "poll_frozen",
    "new_account_limit",
    "duplicate_text",
    "links_too_early",
    ...imageErrors,
  ],
});

export const deletePost = operation({
  id: "posts.delete",
  method: "DELETE",
  path: "/api/posts/{postId}",
  summary: "Delete a post: title, content, media and poll go, its page and comments stay",
  ...write,
  access: "post-remover",
  params: postParams,
  body: removalBody,
  bodyOptional: true,
  responses: { 200: z.object({ id: uuid, isDeleted: z.literal(true), success: z.literal(true) }) },
  errors: ["fresh_proof_required"],
});

export const pinPost = operation({
  id: "posts.pin",
  method: "POST",
  path: "/api/posts/{postId}/pin",
  summary: "Pin a post to the top of its topic, or take it down",
  ...write,
  access: "post-staff",
  params: postParams,
  responses: { 200: z.object({ isPinned: z.boolean() }) },
  errors: ["post_hidden"],
});

const ownList = {
  method: "GET",
  tag: "posts",
  auth: "required",
  nickname: false,
  access: "signed-in",
  limit: { points: 300, seconds: 60 },
  query: z.object(pageFields(20, 100)),
} as const;

export const myPosts = operation({
  id: "my.posts",
  path: "/api/my/posts",
  summary: "Posts the caller wrote, latest first; hidden ones too",
  ...ownList,
  responses: { 200: z.object({ posts: z.array(post), nextCursor }) },
});

export const myLikes = operation({
  id: "my.likes",
  path: "/api/my/likes",
  summary: "Posts the caller voted up, latest vote first",
  ...ownList,
  responses: { 200: z.object({ posts: z.array(post), nextCursor }) },
});

export const myBookmarks = operation({
  id: "my.bookmarks",
  path: "/api/bookmarks",
  summary: "Posts the caller bookmarked, latest first",
  ...ownList,
  responses: { 200: z.object({ posts: z.array(post.extend({ bookmarkedAt: dateTime })), nextCursor }) },
});

export const feed = operation({
  id: "feed.list",
  method: "GET",
  path: "/api/feed",
  summary: "Posts of every topic the caller may read",
  description: "With view=my those of the topics the caller belongs to, and of the people they follow.",
  ...read,
  access: "anyone",
  sameForGuests: true,
  query: z.object({
    view: z
      .enum(["my"])
      .optional()
      .describe("`my`: posts of the caller's topics and of the people they follow."),
    sort: z.enum(postSorts).default("hot"),
    tag: z.string().max(100).optional(),
    category: z.string().max(100).optional().describe("Slug of a category."),
    q: z.string().max(LIMITS.search).optional(),
    ...pageFields(20, 100),
  }),
  responses: { 200: z.object({ posts: z.array(post), nextCursor }) },
  errors: ["category_not_found"],
});

export const recorded = operation({
  id: "recorded.list",
  path: "/api/recorded",
  summary: "Posts the caller recorded on-chain in topics they belong to, those with most records first",
  ...ownList,
  responses: { 200: z.object({ posts: z.array(post), nextCursor }) },
});

export const myRecorded = operation({
  id: "my.recorded",
  path: "/api/my/recorded",
  summary: "Posts the caller recorded on-chain, latest record first",
  ...ownList,
  responses: { 200: z.object({ posts: z.array(post.extend({ recordedAt: dateTime })), nextCursor }) },
});

export const recordedOnMine = operation({
  id: "my.recordedOnMine",
  path: "/api/my/recorded-on-mine",
  summary: "Posts the caller wrote that somebody recorded on-chain, latest record first",
  ...ownList,
  responses: { 200: z.object({ posts: z.array(post.extend({ recordedAt: dateTime })), nextCursor }) },
});
