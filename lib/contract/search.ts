import { z } from "zod";
import { comment } from "./comments";
import { cursor, nextCursor, pageLimit } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";
import { post } from "./post";
import { topicListItem } from "./topics";

export const search = operation({
  id: "search.all",
  method: "GET",
  path: "/api/search",
  summary: "Topics, posts and comments the caller may see that contain the words, best first",
  description:
    "Without type the five best of each; with type a list of that kind, paged by cursor. All words must occur, the last one perhaps only begun; or the whole text, anywhere, when a part of it is three characters long. What says it in its title comes first. Where more than 300 of a kind match, the latest 300 are ranked.",
  tag: "search",
  auth: "optional",
  nickname: false,
  access: "anyone",
  limit: { points: 60, seconds: 60 },
  query: z.object({
    q: z.string().trim().min(1).max(LIMITS.search),
    type: z.enum(["topics", "posts", "comments"]).optional(),
    limit: pageLimit(20, 50),
    cursor,
  }),
  responses: {
    200: z.object({
      topics: z.array(topicListItem),
      posts: z.array(post),
      comments: z.array(comment.extend({ postTitle: z.string() })),
      nextCursor,
    }),
  },
  errors: [],
});

export const stats = operation({
  id: "service.stats",
  method: "GET",
  path: "/api/stats",
  summary: "How many topics can be seen by everybody, and how many people are here",
  tag: "service",
  auth: "optional",
  nickname: false,
  access: "anyone",
  limit: { points: 300, seconds: 60 },
  responses: { 200: z.object({ totalTopics: z.int(), totalMembers: z.int() }) },
  errors: [],
});
