import { z } from "zod";
import { castVoteResult, voteValue } from "./comments";
import { uuid } from "./common";
import { operation } from "./operation";
import { poll, reactionEmoji, reactionSummary } from "./posts";

const postParams = z.object({ postId: uuid });
const write = {
  tag: "posts",
  auth: "required",
  nickname: true,
  access: "post-member",
  limit: { points: 60, seconds: 60 },
  params: postParams,
} as const;
const read = {
  tag: "posts",
  nickname: false,
  access: "post-content",
  limit: { points: 300, seconds: 60 },
  params: postParams,
} as const;

export const vote = operation({
  id: "posts.vote",
  method: "POST",
  path: "/api/posts/{postId}/vote",
  summary: "Vote; the same value again removes it, the opposite switches it",
  ...write,
  body: z.object({ value: voteValue }),
  responses: { 200: castVoteResult },
});

export const listReactions = operation({
  id: "posts.reactions",
  method: "GET",
  path: "/api/posts/{postId}/reactions",
  summary: "How often each of the six reactions was given",
  ...read,
  auth: "optional",
  responses: { 200: z.object({ reactions: z.array(reactionSummary) }) },
});

export const react = operation({
  id: "posts.react",
  method: "POST",
  path: "/api/posts/{postId}/reactions",
  summary: "Give a reaction, or take it back",
  ...write,
  body: z.object({ emoji: reactionEmoji }),
  responses: { 200: z.object({ added: z.boolean() }) },
});

export const getBookmark = operation({
  id: "posts.getBookmark",
  method: "GET",
  path: "/api/posts/{postId}/bookmark",
  summary: "Whether the caller bookmarked the post",
  ...read,
  auth: "required",
  responses: { 200: z.object({ bookmarked: z.boolean() }) },
});

export const bookmark = operation({
  id: "posts.bookmark",
  method: "POST",
  path: "/api/posts/{postId}/bookmark",
  summary: "Bookmark a post, or take it back",
  ...write,
  access: "post-insider",
  guestsSee: false,
  responses: { 200: z.object({ bookmarked: z.boolean() }) },
});

const pollErrors = ["poll_not_found", "poll_closed", "poll_secret"] as const;

export const votePoll = operation({
  id: "posts.votePoll",
  method: "POST",
  path: "/api/posts/{postId}/poll/vote",
  summary: "Vote in a poll: one option replaces the vote before, or several are added",
  ...write,
  body: z.object({ optionIds: z.array(uuid).min(1).max(50) }),
  responses: { 200: z.object({ poll }) },
  errors: [...pollErrors, "poll_option_unknown"],
});

export const clearPollVote = operation({
  id: "posts.clearPollVote",
  method: "DELETE",
  path: "/api/posts/{postId}/poll/vote",
  summary: "Take back every vote in a poll",
  ...write,
  responses: { 200: z.object({ poll }) },
  errors: pollErrors,
});
