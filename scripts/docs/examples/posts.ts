import { contract } from "@/lib/contract";
import { type Example, example } from "../example";
import { idOf, leftBy, postOf, topicOf, type World } from "../world";

const { posts, comments, drafts, moderation, scheduled } = contract;
const commentOf = (world: World) => ({ commentId: leftBy(world, "comment") });
const spamOf = (world: World) => ({ postId: leftBy(world, "spam") });
const rudeOf = (world: World) => ({ commentId: leftBy(world, "rude") });

async function postBy(world: World, name: string) {
  const client = world.h.clientFor(world.tokens.get("bob"));
  const { post } = await client.call(posts.create, {
    ...topicOf(world),
    title: "Buy cheap watches",
    content: "<p>Here.</p>",
  });
  world.keep({ [name]: post.id });
}

/** Posts, comments, votes, reactions and search. */
export const postExamples: readonly Example[] = [
  example(posts.create)({
    as: "ada",
    input: (world) => ({
      ...topicOf(world),
      title: "What would you let take longer?",
      content: "<p>Builds, for one: a <strong>minute</strong> to think.</p>",
      tags: ["Patience", "Builds"],
      poll: { question: "How long may a build take?", options: ["Ten seconds", "A minute"] },
    }),
    keep: (world, { post }) => world.keep({ post: post.id, option: post.poll?.options[1]?.id ?? "" }),
  }),
  example(posts.list)({ input: (world) => ({ ...topicOf(world), sort: "new", limit: 20 }) }),
  example(posts.update)({
    as: "ada",
    input: (world) => ({ ...postOf(world), title: "What would you let take longer, and why?" }),
  }),
  example(comments.create)({
    as: "bob",
    input: (world) => ({ ...postOf(world), content: "Reviews. @ada taught me that." }),
    keep: (world, { comment }) => world.keep({ comment: comment.id }),
  }),
  example(comments.list)({ as: "ada", input: (world) => ({ ...postOf(world), sort: "new", limit: 20 }) }),
  example(comments.follow)({ as: "ada", input: postOf }),
  example(comments.update)({
    as: "bob",
    input: (world) => ({ ...commentOf(world), content: "Reviews, most of all." }),
  }),
  example(comments.vote)({ as: "ada", input: (world) => ({ ...commentOf(world), value: 1 }) }),
  example(posts.vote)({ as: "bob", input: (world) => ({ ...postOf(world), value: 1 }) }),
  example(posts.react)({ as: "bob", input: (world) => ({ ...postOf(world), emoji: "\u{1F389}" }) }),
  example(posts.reactions)({ as: "bob", input: postOf }),
  example(posts.votePoll)({
    as: "bob",
    input: (world) => ({ ...postOf(world), optionIds: [leftBy(world, "option")] }),
  }),
  example(posts.clearPollVote)({ as: "bob", input: postOf }),
  example(posts.bookmark)({ as: "bob", input: postOf }),
  example(posts.getBookmark)({ as: "bob", input: postOf }),
  example(posts.setNotifications)({ as: "bob", input: (world) => ({ ...postOf(world), level: "watch" }) }),
  example(posts.pin)({ as: "ada", input: postOf }),
  example(posts.get)({ as: "bob", input: postOf }),
  example(contract.feed.list)({ as: "bob", input: () => ({ view: "my", sort: "new", limit: 20 }) }),
  example(contract.my.posts)({ as: "ada" }),
  example(contract.my.likes)({ as: "bob" }),
  example(contract.my.bookmarks)({ as: "bob" }),
  example(contract.search.all)({ as: "bob", input: () => ({ q: "longer" }) }),
  example(contract.tags.list)({ input: () => ({ q: "pat" }) }),
  example(drafts.save)({
    as: "bob",
    input: (world) => ({
      ...topicOf(world),
      version: null,
      content: {
        title: "What I learnt from reviews",
        content: "<p>First, </p>",
        tags: [],
        videos: [],
        images: [],
        poll: null,
      },
    }),
  }),
  example(drafts.get)({ as: "bob", input: topicOf }),
  example(drafts.delete)({ as: "bob", input: topicOf }),
  example(scheduled.create)({
    as: "bob",
    input: (world) => ({
      ...topicOf(world),
      title: "Reading group on Friday",
      content: "<p>At five, in the usual room.</p>",
      publishAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
    }),
    keep: (world, made) => world.keep({ scheduled: made.scheduled.id }),
  }),
  example(scheduled.list)({ as: "bob" }),
  example(scheduled.cancel)({ as: "bob", input: (world) => ({ scheduledId: leftBy(world, "scheduled") }) }),
  example(comments.delete)({ as: "bob", input: commentOf }),
  example(posts.delete)({
    as: "bob",
    before: (world) => postBy(world, "mistake"),
    input: (world) => ({ postId: leftBy(world, "mistake") }),
  }),
];

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
      world.keep({ rude: comment.id });
    },
    input: (world) => ({ ...rudeOf(world), reason: "abuse" }),
  }),
  example(moderation.reportMessage)({
    as: "dora",
    async before(world) {
      const client = world.h.clientFor(world.tokens.get("bob"));
      const said = { ...topicOf(world), message: "Watches, anyone?" };
      world.keep({ message: (await client.call(contract.chat.send, said)).message.id });
    },
    input: (world) => ({ ...topicOf(world), messageId: leftBy(world, "message"), reason: "spam" }),
  }),
  example(moderation.reportTopic)({
    as: "cleo",
    input: (world) => ({ ...topicOf(world), reason: "owner", details: "Sells watches too." }),
  }),
  example(moderation.reportProfile)({
    as: "dora",
    input: (world) => ({ userId: idOf(world, "bob"), reason: "spam" }),
  }),
  example(moderation.reportTag)({ as: "dora", input: () => ({ tag: "patience", reason: "other" }) }),
  example(moderation.reports)({
    as: "ada",
    input: topicOf,
    keep: (world, { reports: [report] }) => world.keep({ report: report?.id ?? "" }),
  }),
  example(moderation.queue)({ as: "ada", input: (world) => ({ ...topicOf(world), limit: 2 }) }),
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
  example(moderation.decideCases)({
    as: "ada",
    input: (world) => ({
      cases: [{ kind: "message", targetId: leftBy(world, "message") }],
      action: "hide",
      reason: "Advertising.",
    }),
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
