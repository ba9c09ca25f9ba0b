import { z } from "zod";
import { ABILITIES } from "./abilities";
import { anonymousAuthor } from "./anonymous-author";
import { cursor, dateTime, mentions, nextCursor, pageLimit, removalBody, text, uuid } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";

export const voteValue = z.union([z.literal(1), z.literal(-1)], { error: "must be 1 or -1" });
/** A vote after it was cast, and the net upvotes. */
export const castVoteResult = z
  .object({
    vote: z.object({ value: voteValue }).nullable(),
    upvoteCount: z.int(),
  })
  .meta({ id: "CastVoteResult" });

/** Orders of a post's comments: oldest first, newest first, or most upvotes first. */
export const commentSorts = ["old", "new", "best"] as const;
export type CommentSort = (typeof commentSorts)[number];

export const comment = z
  .object({
    id: uuid,
    postId: uuid,
    parentId: uuid.nullable().describe("Null for a top-level comment, else a comment of the same post."),
    authorId: z
      .string()
      .nullable()
      .describe("User id of the author; null, as the other author fields, once the comment is deleted."),
    authorNickname: z.string().nullable(),
    authorProfileImage: z.string().nullable(),
    anonymous: anonymousAuthor
      .nullable()
      .describe(
        "The author of an anonymous comment, of whom nothing is known but the crowd; null for a comment with an author, and once it is deleted.",
      ),
    automated: z.boolean(),
    authorDomains: z
      .array(z.string())
      .describe(
        "Domains the author shows, proven within the last 30 days; empty once the comment is deleted.",
      ),
    content: z
      .string()
      .describe(
        "Text with a little Markdown (emphasis, code, quotes, lists, links), never HTML; empty once deleted.",
      ),
    mentions,
    upvoteCount: z.int().describe("Net upvotes."),
    userVoted: voteValue.nullable().describe("The caller's vote; null for none."),
    createdAt: dateTime,
    updatedAt: dateTime,
    isDeleted: z.boolean(),
    isHidden: z.boolean().describe("Hidden by the topic's staff: only staff and the author get its content."),
    isFolded: z.boolean().describe("The caller blocked its author: show it folded."),
    deletedBy: z.enum(["author", "admin"]).nullable(),
    abilities: z.array(z.enum(ABILITIES.comment)).describe("What the caller may do with it."),
  })
  .meta({ id: "Comment" });
export type Comment = z.infer<typeof comment>;

/** A comment outside of its post. */
export const foundComment = comment
  .extend({ topicId: uuid, postTitle: z.string() })
  .meta({ id: "FoundComment" });
export type FoundComment = z.infer<typeof foundComment>;

const read = {
  tag: "posts",
  nickname: false,
  access: "post-content",
  params: z.object({ postId: uuid }),
} as const;

export const listComments = operation({
  id: "comments.list",
  method: "GET",
  path: "/api/posts/{postId}/comments",
  summary: "The comments of a post, without the post, and without counting a view",
  ...read,
  auth: "optional",
  limit: { points: 300, seconds: 60 },
  query: z.object({
    limit: pageLimit(20, 100),
    cursor,
    sort: z.enum(commentSorts).default("old"),
  }),
  responses: { 200: z.object({ comments: z.array(comment), nextCursor }) },
});

export const followComments = operation({
  id: "comments.follow",
  method: "GET",
  path: "/api/posts/{postId}/events",
  summary: "Learn of new comments as they are written (text/event-stream)",
  description:
    "`thread` comes first, and whenever its position is higher: then read the newest comments. `ping` comes every 30 seconds. The stream ends with the session, and when the caller may no longer read the post.",
  ...read,
  auth: "required",
  limit: { points: 60, seconds: 60 },
  events: {
    thread: z.object({
      position: z
        .int()
        .min(0)
        .describe("How many comments were numbered so far, deleted and hidden ones included."),
    }),
    ping: z.object({}),
  },
  responses: {},
  errors: ["too_many_streams"],
});

const write = { tag: "posts", auth: "required", nickname: true, limit: { points: 30, seconds: 60 } } as const;

export const createComment = operation({
  id: "comments.create",
  method: "POST",
  path: "/api/posts/{postId}/comments",
  summary: "Comment on a post, or reply to a comment",
  ...write,
  access: "post-member",
  params: z.object({ postId: uuid }),
  body: z.object({ content: text(LIMITS.comment), parentId: uuid.nullish() }),
  responses: { 201: z.object({ comment }) },
  errors: ["comment_not_found", "new_account_limit", "duplicate_text", "slow_mode", "links_too_early"],
});

const commentParams = z.object({ commentId: uuid });

export const updateComment = operation({
  id: "comments.update",
  method: "PATCH",
  path: "/api/comments/{commentId}",
  summary: "Change the text of one's own comment",
  ...write,
  access: "comment-author",
  params: commentParams,
  body: z.object({ content: text(LIMITS.comment) }),
  responses: { 200: z.object({ comment }) },
  errors: ["new_account_limit", "duplicate_text", "links_too_early"],
});

export const deleteComment = operation({
  id: "comments.delete",
  method: "DELETE",
  path: "/api/comments/{commentId}",
  summary: "Delete a comment; its place in the thread stays, without content and author",
  ...write,
  access: "comment-remover",
  limit: { points: 60, seconds: 60 },
  params: commentParams,
  body: removalBody,
  bodyOptional: true,
  responses: { 200: z.object({ success: z.literal(true), deletedBy: z.enum(["author", "admin"]) }) },
  errors: ["fresh_proof_required"],
});

export const voteOnComment = operation({
  id: "comments.vote",
  method: "POST",
  path: "/api/comments/{commentId}/vote",
  summary: "Vote on a comment; the same value again removes it, the opposite switches it",
  ...write,
  // Only the page of its post changes.
  guestsSee: false,
  access: "comment-member",
  limit: { points: 60, seconds: 60 },
  params: commentParams,
  body: z.object({ value: voteValue }),
  responses: { 200: castVoteResult },
});
