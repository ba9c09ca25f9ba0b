import { z } from "zod";
import { comment } from "./comments";
import { cursor, nextCursor, pageLimit, pageOffset, rawText, text, uuid } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";
import { mediaInput, pollInput, pollPatch, post } from "./post";

export const postSorts = ["hot", "new", "top", "active", "recorded"] as const;
/** Room for images of 10 MB altogether in base64, and for the text. */
const postBytes = 14_500_000;
/**
 * HTML of at most `LIMITS.post.html` characters once images inside it were moved to storage; with them it may be longer on
 * its way.
 */
const postHtml = rawText(postBytes);
/** What can be wrong with images inside the text. */
const imageErrors = ["upload_type", "upload_too_large", "upload_damaged"] as const;
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
  maxBytes: postBytes,
  body: z.object({
    title: text(LIMITS.post.title),
    /** HTML, sanitised on write. */
    content: postHtml,
    tags: z.array(text(LIMITS.post.tag)).max(LIMITS.post.tags).optional(),
    media: mediaInput.optional(),
    poll: pollInput.optional(),
  }),
  responses: { 201: z.object({ post }) },
  errors: ["topic_not_found", "not_a_member", "muted", ...imageErrors],
});

export const getPost = operation({
  id: "posts.get",
  method: "GET",
  path: "/api/posts/{postId}",
  summary: "One post with its comments; counts a view",
  description:
    "With `comment`, the id of a comment of this post, the page on which it stands, wherever `cursor` leads; any other id gives the first page. `pageCursor` says where the page begins, null for the first.",
  tag: "posts",
  auth: "optional",
  nickname: false,
  access: "post-content",
  limit: { points: 300, seconds: 60 },
  params: postParams,
  query: z.object({
    limit: pageLimit(200, 500),
    cursor,
    comment: uuid.optional(),
  }),
  responses: {
    200: z.object({
      post,
      /** Oldest first; threads by parentId. */
      comments: z.array(comment),
      nextCursor,
      pageCursor: nextCursor,
    }),
  },
  errors: ["post_not_found", "not_a_member"],
});

export const updatePost = operation({
  id: "posts.update",
  method: "PATCH",
  path: "/api/posts/{postId}",
  summary: "Change a post; tags and media replace, poll null removes it",
  description:
    "A poll's options are frozen once anybody voted: sending the same options, or none, keeps them and changes question and closesAt only.",
  tag: "posts",
  auth: "required",
  nickname: true,
  access: "post-author",
  limit: { points: 30, seconds: 60 },
  params: postParams,
  maxBytes: postBytes,
  body: z.object({
    title: text(LIMITS.post.title).optional(),
    content: postHtml.optional(),
    tags: z.array(text(LIMITS.post.tag)).max(LIMITS.post.tags).optional(),
    media: mediaInput.optional(),
    poll: pollPatch.nullable().optional(),
  }),
  responses: { 200: z.object({ post }) },
  errors: [
    "post_not_found",
    "not_a_member",
    "not_the_author",
    "muted",
    "post_hidden",
    "nothing_to_change",
    "post_recorded",
    "poll_frozen",
    ...imageErrors,
  ],
});

export const deletePost = operation({
  id: "posts.delete",
  method: "DELETE",
  path: "/api/posts/{postId}",
  summary: "Delete a post: title, content, media and poll go, its page and comments stay",
  tag: "posts",
  auth: "required",
  nickname: true,
  access: "post-remover",
  limit: { points: 60, seconds: 60 },
  params: postParams,
  responses: { 200: z.object({ id: uuid, isDeleted: z.literal(true), success: z.literal(true) }) },
  errors: ["post_not_found", "not_a_member", "role_required"],
});

export const pinPost = operation({
  id: "posts.pin",
  method: "POST",
  path: "/api/posts/{postId}/pin",
  summary: "Pin a post to the top of its topic, or take it down",
  tag: "posts",
  auth: "required",
  nickname: true,
  access: "post-staff",
  limit: { points: 60, seconds: 60 },
  params: postParams,
  responses: { 200: z.object({ isPinned: z.boolean() }) },
  errors: ["post_not_found", "not_a_member", "role_required", "post_hidden"],
});
