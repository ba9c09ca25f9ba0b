import { z } from "zod";
import { foundComment } from "./comments";
import { cursor, dateTime, nextCursor, pageLimit, uuid } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";
import { post } from "./posts";
import { topicListItem } from "./topics";

export const search = operation({
  id: "search.all",
  method: "GET",
  path: "/api/search",
  summary: "Topics, posts and comments the caller may see that contain the words, best first",
  description:
    "Without type the five best of each; with type a list of that kind, paged by cursor. All words must occur, the last one perhaps only begun; or the whole text, anywhere, when a part of it is three characters long. What says it in its title comes first. With author, topicId, since or until only posts and comments are found; of an author, among their latest 2,000 of each. Where more than 300 of a kind match, the latest 300 are ranked.",
  tag: "search",
  auth: "optional",
  nickname: false,
  access: "anyone",
  limit: { points: 60, seconds: 60 },
  query: z.object({
    q: z.string().trim().min(1).max(LIMITS.search),
    type: z
      .enum(["topics", "posts", "comments"])
      .optional()
      .describe("Searches one kind, page by page; without it the best of each."),
    match: z
      .enum(["all", "any"])
      .default("all")
      .describe(
        "Whether all words must occur, or any of the five longest, as to find what resembles a title.",
      ),
    author: z
      .string()
      .trim()
      .min(1)
      .max(LIMITS.search)
      .optional()
      .describe("Posts and comments of the member who has this name now."),
    topicId: uuid.optional().describe("Posts and comments in this topic."),
    since: dateTime.optional().describe("Posts and comments written at or after this moment."),
    until: dateTime.optional().describe("Posts and comments written before this moment."),
    limit: pageLimit(20, 50),
    cursor,
  }),
  responses: {
    200: z.object({
      topics: z.array(topicListItem),
      posts: z.array(post),
      comments: z.array(foundComment),
      nextCursor,
    }),
  },
  errors: ["topic_not_found", "not_a_member", "reprove_required"],
});

const tag = z.object({
  id: uuid,
  name: z.string().describe("As the oldest counted post spells it."),
  slug: z.string(),
  postCount: z
    .int()
    .describe(
      "Posts with this tag that are not deleted or hidden; for one topic's list, posts of that topic.",
    ),
  createdAt: dateTime.describe("When the oldest counted post got the tag."),
});
export type Tag = z.infer<typeof tag>;

export const listTags = operation({
  id: "tags.list",
  method: "GET",
  path: "/api/tags",
  summary: "Tags: up to 10 whose slug starts with q, or the 20 most used",
  description:
    "With topicId those of one topic whose posts the caller may read. Without it, tags of public topics only. Name and " +
    "createdAt come from the first of the posts that postCount counts.",
  tag: "posts",
  auth: "optional",
  nickname: false,
  access: "anyone",
  sameForGuests: true,
  limit: { points: 300, seconds: 60 },
  query: z.object({ q: z.string().max(100).optional(), topicId: z.string().max(100).optional() }),
  responses: { 200: z.object({ tags: z.array(tag) }) },
  errors: ["topic_not_found", "not_a_member"],
});
