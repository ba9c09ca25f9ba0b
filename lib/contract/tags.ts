import { z } from "zod";
import { dateTime, uuid } from "./common";
import { operation } from "./operation";

const tag = z.object({
  id: uuid,
  /** As the first of the counted posts spells it. */
  name: z.string(),
  slug: z.string(),
  /** Posts with this tag, without deleted and hidden ones; within the topic where the list is of one. */
  postCount: z.int(),
  /** When the first of them got it. */
  createdAt: dateTime,
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
  limit: { points: 300, seconds: 60 },
  query: z.object({ q: z.string().max(100).optional(), topicId: z.string().max(100).optional() }),
  responses: { 200: z.object({ tags: z.array(tag) }) },
  errors: ["topic_not_found", "not_a_member"],
});
