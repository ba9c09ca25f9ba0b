import { z } from "zod";
import { foundComment } from "./comments";
import { nextCursor, nickname, pageFields, person, uuid } from "./common";
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
  since: z
    .string()
    .describe(
      "The month in which the account was made, as YYYY-MM: the day could be matched with a payment on the chain.",
    ),
  seals: z
    .array(
      z.object({
        domain: z.string(),
        vouchedBy: z
          .string()
          .nullable()
          .describe(
            "The identity provider that vouched for it; null if this installation has none of that kind any more.",
          ),
        provenIn: z.string().describe("The month of the latest proof, as YYYY-MM, for the same reason."),
      }),
    )
    .describe("What they show beside their name: proven within the last 30 days."),
  isBlocked: z.boolean().describe("Whether the caller blocked them."),
  isFollowed: z.boolean().describe("Whether the caller follows them."),
});
export type PersonView = z.infer<typeof member>;

export const getPerson = operation({
  id: "people.get",
  method: "GET",
  path: "/api/people/{nickname}",
  summary: "What a member shows of themselves, by their nickname in any case",
  description:
    "With topicId also what they show in that topic only, to its members, and to others who may read it once they wrote there; otherwise what they show everywhere.",
  ...shared,
  params,
  query: z.object({ topicId: uuid.optional() }),
  responses: { 200: z.object({ person: member }) },
  errors: ["user_not_found", "topic_not_found", "not_a_member", "reprove_required"],
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

export const listCommentsOf = operation({
  id: "people.comments",
  method: "GET",
  path: "/api/people/{nickname}/comments",
  summary: "Comments of a member that the caller may read, latest first",
  description:
    "Without hidden comments, and without those under hidden posts. What they wrote where the caller is no member is neither listed nor counted.",
  ...shared,
  params,
  query: z.object(pageFields(20, 100)),
  responses: { 200: z.object({ comments: z.array(foundComment), nextCursor }) },
  errors: ["user_not_found"],
});
