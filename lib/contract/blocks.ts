import { z } from "zod";
import { dateTime, person, userId } from "./common";
import { operation } from "./operation";

const shared = {
  tag: "profile",
  auth: "required",
  nickname: false,
  access: "signed-in",
  guestsSee: false,
  limit: { points: 60, seconds: 60 },
} as const;
const params = z.object({ userId });

export const blockUser = operation({
  id: "users.block",
  method: "PUT",
  path: "/api/users/{userId}/block",
  summary: "Block a user: what they write folds away for the caller, and they no longer notify them",
  description:
    "Posts, comments and chat messages of the user have `isFolded` for the caller, except in topics whose staff the caller is. Replies, mentions and records by the user send the caller nothing. The user is not told.",
  ...shared,
  params,
  responses: { 200: z.object({ blocked: z.literal(true) }) },
  // The caller's own id is invalid.
  errors: ["invalid_request", "user_not_found", "too_many_blocks"],
});

export const unblockUser = operation({
  id: "users.unblock",
  method: "DELETE",
  path: "/api/users/{userId}/block",
  summary: "Take a block back",
  ...shared,
  params,
  responses: { 200: z.object({ blocked: z.literal(false) }) },
});

export const myBlocks = operation({
  id: "my.blocks",
  method: "GET",
  path: "/api/my/blocks",
  summary: "Everyone the caller blocked, latest first",
  ...shared,
  limit: { points: 300, seconds: 60 },
  responses: { 200: z.object({ users: z.array(person.extend({ blockedAt: dateTime })) }) },
});

export const followUser = operation({
  id: "users.follow",
  method: "PUT",
  path: "/api/users/{userId}/follow",
  summary: "Follow a user: their posts join the caller's own feed",
  description:
    "`GET /api/feed?view=my` then has what they write in public topics, the latest 100 posts of each. Neither the user nor anyone else is told. A block takes it back.",
  ...shared,
  params,
  responses: { 200: z.object({ followed: z.literal(true) }) },
  // The caller's own id is invalid.
  errors: ["invalid_request", "user_not_found", "too_many_follows"],
});

export const unfollowUser = operation({
  id: "users.unfollow",
  method: "DELETE",
  path: "/api/users/{userId}/follow",
  summary: "Follow a user no longer",
  ...shared,
  params,
  responses: { 200: z.object({ followed: z.literal(false) }) },
});

export const myFollows = operation({
  id: "my.follows",
  method: "GET",
  path: "/api/my/follows",
  summary: "Everyone the caller follows, latest first",
  ...shared,
  limit: { points: 300, seconds: 60 },
  responses: { 200: z.object({ users: z.array(person.extend({ followedAt: dateTime })) }) },
});
