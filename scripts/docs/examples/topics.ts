import { publishRoots } from "@/lib/community/crowd/publish";
import { general } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { type Example, example } from "../example";
import { idOf, leftBy, topicOf, type World } from "../world";

const { topics, crowd, requests, members, ownership, sealed, webhooks } = contract;
/** What a device that waits for another one's secret made up. */
const SEALED = { id: "k3Jf0Q2mV7sXb9LrT1uYzA" };
const guildOf = (world: World) => ({ topicId: leftBy(world, "guild") });

/** Topics and their members. */
export const topicExamples: readonly Example[] = [
  example(contract.categories.list)(),
  example(topics.create)({
    as: "ada",
    input: () => ({
      title: "Slow software",
      description: "Programs that may take their time.",
      categoryId: general,
    }),
    keep: (world, { topic }) => world.keep({ topic: topic.id, code: topic.inviteCode ?? "" }),
  }),
  example(topics.get)({ input: topicOf }),
  example(topics.list)({ input: () => ({ view: "all", sort: "new", q: "slow", limit: 20 }) }),
  example(topics.update)({
    as: "ada",
    input: (world) => ({
      ...topicOf(world),
      description: "Programs that may take their time, and why.",
      rules: "Say why.",
    }),
  }),
  example(topics.join)({
    as: "bob",
    before: (world) => world.signIn("bob"),
    input: topicOf,
    status: 201,
  }),
  example(topics.createInvite)({ as: "ada", input: topicOf }),
  example(topics.renewInviteCode)({
    as: "ada",
    input: topicOf,
    keep: (world, { inviteCode }) => world.keep({ code: inviteCode }),
  }),
  example(topics.getInvite)({
    as: "dora",
    before: (world) => world.signIn("dora"),
    input: (world) => ({ inviteCode: leftBy(world, "code") }),
  }),
  example(topics.joinByInvite)({
    as: "dora",
    input: (world) => ({ inviteCode: leftBy(world, "code") }),
  }),
  example(requests.list)({
    as: "ada",
    async before(world) {
      const guild = { title: "A topic for the moment", categoryId: general, visibility: "private" } as const;
      const { topic } = await world.h.clientFor(world.tokens.get("ada")).call(topics.create, guild);
      world.keep({ guild: topic.id });
      const cleo = await world.signIn("cleo");
      await cleo.api.call(topics.join, guildOf(world));
    },
    input: guildOf,
    keep: (world, { requests: [waiting] }) => world.keep({ "join request": waiting?.id ?? "" }),
  }),
  example(requests.decide)({
    as: "ada",
    input: (world) => ({
      ...guildOf(world),
      requestId: leftBy(world, "join request"),
      action: "approve",
    }),
  }),
  example(topics.mute)({ as: "bob", input: topicOf }),
  example(topics.unmute)({ as: "bob", input: topicOf }),
  example(topics.setNotifications)({
    as: "dora",
    input: (world) => ({ ...topicOf(world), level: "mentions" }),
  }),
  example(crowd.enrol)({
    as: "bob",
    input: (world) => ({
      ...topicOf(world),
      leaf: "0x23864adb160dddf590f1d3303683ebcb914f828e2635f6e85a32f0a1aecd3dd8",
    }),
  }),
  example(crowd.get)({
    as: "bob",
    // The next root is published within ten minutes.
    before: ({ h }) => publishRoots({ ...h.services, now: () => new Date(Date.now() + 600_000) }),
    input: topicOf,
  }),
  example(crowd.roots)({ input: topicOf }),
  example(crowd.leaves)({ input: (world) => ({ ...topicOf(world), number: "1" }) }),
  example(crowd.withdraw)({ as: "bob", input: topicOf }),
  example(sealed.leave)({ as: "bob", input: () => ({ ...SEALED, sealed: "Q2lwaGVydGV4dA" }) }),
  example(sealed.take)({ as: "bob", input: () => SEALED }),
  example(members.list)({ as: "ada", input: topicOf }),
  example(members.setRole)({
    as: "ada",
    input: (world) => ({ ...topicOf(world), userId: idOf(world, "bob"), role: "admin" }),
  }),
  example(members.addNote)({
    as: "ada",
    input: (world) => ({ ...topicOf(world), userId: idOf(world, "dora"), note: "Asks before she reports." }),
    keep: (world, { note }) => world.keep({ note: note.id }),
  }),
  example(members.notes)({
    as: "ada",
    input: (world) => ({ ...topicOf(world), userId: idOf(world, "dora") }),
  }),
  example(members.deleteNote)({
    as: "ada",
    input: (world) => ({ ...topicOf(world), noteId: leftBy(world, "note") }),
  }),
  example(ownership.offer)({
    as: "ada",
    input: (world) => ({ ...topicOf(world), userId: idOf(world, "bob") }),
  }),
  example(ownership.get)({ as: "bob", input: topicOf }),
  example(ownership.answer)({ as: "bob", input: (world) => ({ ...topicOf(world), accept: false }) }),
  example(ownership.cancel)({
    as: "ada",
    async before(world) {
      const client = world.h.clientFor(world.tokens.get("ada"));
      await client.call(ownership.offer, { ...topicOf(world), userId: idOf(world, "bob") });
    },
    input: topicOf,
  }),
  example(webhooks.create)({
    as: "ada",
    input: (world) => ({
      ...topicOf(world),
      url: "https://hooks.example.org/parley",
      events: ["post.created", "comment.created"],
    }),
    keep: (world, { webhook }) => world.keep({ webhook: webhook.id }),
  }),
  example(webhooks.list)({ as: "ada", input: topicOf }),
  example(webhooks.replay)({
    as: "ada",
    input: (world) => ({ ...topicOf(world), webhookId: leftBy(world, "webhook"), after: 0 }),
  }),
  example(webhooks.delete)({
    as: "ada",
    input: (world) => ({ ...topicOf(world), webhookId: leftBy(world, "webhook") }),
  }),
  example(members.remove)({
    as: "ada",
    input: (world) => ({
      ...guildOf(world),
      userId: idOf(world, "cleo"),
      reason: "Asked to be taken out.",
    }),
  }),
];

/** Run when no other example needs the topics. */
export const topicEndExamples: readonly Example[] = [
  example(topics.leave)({ as: "dora", input: topicOf }),
  example(topics.delete)({ as: "ada", input: guildOf }),
];
