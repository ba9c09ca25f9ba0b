import { createHash } from "node:crypto";
import { general } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { type Example, example } from "../example";
import { idOf, leftBy, topicOf, type World } from "../world";

const { desk, posts, topics } = contract;
const reportOf = (world: World) => ({ reportId: leftBy(world, "desk report") });
const troubleOf = (world: World) => ({ topicId: leftBy(world, "trouble") });
const troll = (world: World) => ({ userId: idOf(world, "troll") });
const bob = (world: World) => ({ userId: idOf(world, "bob") });

async function makeOperator(world: World) {
  const userId = idOf(world, "cleo");
  const granted = { role: "operator", granted_by: userId, granted_at: new Date() } as const;
  await world.h.db
    .insertInto("operators")
    .values({ user_id: userId, ...granted })
    .execute();
}

/** Operators and their desk. */
export const deskExamples: readonly Example[] = [
  example(desk.operators)({ as: "cleo", before: makeOperator }),
  example(desk.grant)({
    as: "cleo",
    input: (world) => ({ ...bob(world), role: "reviewer", reason: "Answers reports in the evening." }),
  }),
  example(desk.take)({ as: "cleo", input: (world) => ({ ...bob(world), reason: "Moved on." }) }),
  example(desk.reports)({
    as: "cleo",
    input: (world) => ({ ...topicOf(world), limit: 20 }),
    keep: (world, { reports: [report] }) => world.keep({ "desk report": report?.id ?? "" }),
  }),
  example(desk.claim)({ as: "cleo", input: reportOf }),
  example(desk.release)({ as: "cleo", input: reportOf }),
  example(desk.decide)({
    as: "cleo",
    input: (world) => ({ ...reportOf(world), action: "dismiss", reason: "Watches are no crime." }),
  }),
  example(desk.accounts)({ as: "cleo", input: () => ({ q: "bo" }) }),
  example(desk.account)({
    as: "cleo",
    before: (world) => world.signIn("troll"),
    input: troll,
  }),
  example(desk.sanction)({
    as: "cleo",
    input: (world) => ({
      ...troll(world),
      kind: "silence",
      reason: "Threatens people.",
      until: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    }),
  }),
  example(desk.lift)({
    as: "cleo",
    input: (world) => ({ ...troll(world), kind: "silence", reason: "A mistake." }),
  }),
  example(desk.resetNickname)({
    as: "cleo",
    input: (world) => ({ ...troll(world), reason: "An insult." }),
  }),
  example(desk.removeImage)({
    as: "cleo",
    input: (world) => ({ ...troll(world), reason: "Shows someone else." }),
  }),
  example(desk.endSessions)({
    as: "cleo",
    input: (world) => ({ ...troll(world), reason: "A stolen token." }),
  }),
  example(desk.freeze)({
    as: "cleo",
    async before(world) {
      const fallen = { title: "A topic of trouble", categoryId: general } as const;
      const { topic } = await world.h.clientFor(world.tokens.get("ada")).call(topics.create, fallen);
      await world.h.clientFor(world.tokens.get("bob")).call(topics.join, { topicId: topic.id });
      world.keep({ trouble: topic.id });
    },
    input: (world) => ({ ...troubleOf(world), frozen: true, reason: "Under review." }),
  }),
  example(desk.handOver)({
    as: "cleo",
    input: (world) => ({ ...troubleOf(world), ...bob(world), reason: "The owner left." }),
  }),
  example(desk.renameTag)({
    as: "cleo",
    input: () => ({ tag: "patience", name: "Waiting", reason: "Two tags for one thing." }),
  }),
  example(desk.removeTag)({ as: "cleo", input: () => ({ tag: "waiting", reason: "Says nothing." }) }),
  example(desk.takeFilesDown)({
    as: "cleo",
    input: () => ({ sha256: createHash("sha256").update("test").digest("hex"), reason: "A court order." }),
  }),
  example(desk.blockedFiles)({
    as: "cleo",
    input: () => ({ limit: 20 }),
    keep: (world, { files: [file] }) => world.keep({ blocked: file?.id ?? "" }),
  }),
  example(desk.unblockFile)({
    as: "cleo",
    input: (world) => ({ fileId: leftBy(world, "blocked"), reason: "The order was lifted." }),
  }),
  example(desk.placeHold)({
    as: "cleo",
    input: (world) => ({ kind: "topic", targetId: leftBy(world, "trouble"), reason: "An investigation." }),
    keep: (world, { hold }) => world.keep({ hold: hold.id }),
  }),
  example(desk.holds)({ as: "cleo", input: () => ({ limit: 20 }) }),
  example(desk.exportHold)({
    as: "cleo",
    input: (world) => ({ holdId: leftBy(world, "hold"), reason: "The court asked for it." }),
  }),
  example(desk.releaseHold)({
    as: "cleo",
    input: (world) => ({ holdId: leftBy(world, "hold"), reason: "The investigation ended." }),
  }),
  example(desk.log)({
    async before(world) {
      const ada = world.h.clientFor(world.tokens.get("ada"));
      const crime = { ...topicOf(world), title: "Stolen watches", content: "<p>Here.</p>" };
      const { post } = await ada.call(posts.create, crime);
      const cleo = world.h.clientFor(world.tokens.get("cleo"));
      await cleo.call(posts.delete, { postId: post.id, reason: "Against the law." });
    },
    input: () => ({ limit: 2 }),
  }),
];
