import { contract } from "@/lib/contract";
import { type Example, example } from "../example";
import { idOf, leftBy, type World } from "../world";
import { postBy } from "./posts";

const { moderation, comments } = contract;
const topicOf = (world: World) => ({ topicId: leftBy(world, "topic") });
const spamOf = (world: World) => ({ postId: leftBy(world, "spam") });
const rudeOf = (world: World) => ({ commentId: leftBy(world, "rude") });

/** Reports, sanctions and the log. */
export const moderationExamples: readonly Example[] = [
  example(moderation.reportPost)({
    as: "dora",
    before: (world) => postBy(world, "spam"),
    input: (world) => ({ ...spamOf(world), reason: "spam", details: "The third time this week." }),
  }),
  example(moderation.reportComment)({
    as: "dora",
    async before(world) {
      const client = world.h.clientFor(world.tokens.get("bob"));
      const body = { ...spamOf(world), content: "You would not know a good watch." };
      const { comment } = await client.call(comments.create, body);
      world.values.set("rude", comment.id);
    },
    input: (world) => ({ ...rudeOf(world), reason: "abuse" }),
  }),
  example(moderation.reports)({
    as: "ada",
    input: topicOf,
    keep({ values }, { reports }) {
      values.set("report", reports[0]?.id ?? "");
    },
  }),
  example(moderation.hidePost)({
    as: "ada",
    input: (world) => ({ ...spamOf(world), hidden: true, reason: "Advertising." }),
  }),
  example(moderation.hideComment)({
    as: "ada",
    input: (world) => ({ ...rudeOf(world), hidden: true, reason: "Rude." }),
  }),
  example(moderation.decideReport)({
    as: "ada",
    input: (world) => ({ ...topicOf(world), reportId: leftBy(world, "report"), action: "resolve" }),
  }),
  example(moderation.sanction)({
    as: "ada",
    input: (world) => ({
      ...topicOf(world),
      userId: idOf(world, "dora"),
      kind: "mute",
      reason: "Reports everything.",
      until: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  }),
  example(moderation.sanctions)({ as: "ada", input: topicOf }),
  example(moderation.lift)({
    as: "ada",
    input: (world) => ({ ...topicOf(world), userId: idOf(world, "dora"), kind: "mute" }),
  }),
  example(moderation.log)({ as: "dora", input: (world) => ({ ...topicOf(world), limit: 2 }) }),
];
