import { z } from "zod";
import { nextCursor, nickname, pageFields, person } from "./common";
import { operation } from "./operation";
import { post } from "./posts";

const shared = {
  tag: "profile",
  auth: "optional",
  nickname: false,
  access: "anyone",
  limit: { points: 300, seconds: 60 },
} as const;
const params = z.object({ nickname });

const member = person.extend({
  /** The month in which the account was made, as YYYY-MM: the day could be matched with a payment on the chain. */
  since: z.string(),
  /** Domains that they show beside their name. */
  domains: z.array(z.string()),
  /** Whether the caller blocked them. */
  isBlocked: z.boolean(),
  /** Whether the caller follows them. */
  isFollowed: z.boolean(),
});
export type PersonView = z.infer<typeof member>;

export const getPerson = operation({
  id: "people.get",
  method: "GET",
  path: "/api/people/{nickname}",
  summary: "What a member shows of themselves, by their nickname in any case",
  ...shared,
  params,
  responses: { 200: z.object({ person: member }) },
  errors: ["user_not_found"],
});

export const listPostsOf = operation({
  id: "people.posts",
  method: "GET",
  path: "/api/people/{nickname}/posts",
  summary: "Posts of a member that the caller may read, latest first",
  description:
    "Without hidden posts. What they wrote where the caller is no member is neither listed nor counted.",
  ...shared,
  params,
  query: z.object(pageFields(20, 100)),
  responses: { 200: z.object({ posts: z.array(post), nextCursor }) },
  errors: ["user_not_found"],
});
