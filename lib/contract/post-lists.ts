import { z } from "zod";
import { cursor, dateTime, nextCursor, pageLimit, pageOffset } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";
import { post } from "./post";
import { postSorts } from "./posts";

const ownList = {
  method: "GET",
  tag: "posts",
  auth: "required",
  nickname: false,
  access: "signed-in",
  limit: { points: 300, seconds: 60 },
  query: z.object({ limit: pageLimit(20, 100), offset: pageOffset, cursor }),
  errors: [],
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
    q: z.string().max(LIMITS.search).optional(),
    limit: pageLimit(20, 100),
    offset: pageOffset,
    cursor,
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
