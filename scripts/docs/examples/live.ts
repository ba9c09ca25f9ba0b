import { sql } from "kysely";
import { verified } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { png } from "@/lib/testing/images";
import { type Example, example } from "../example";
import { idOf, leftBy, postOf, topicOf, type World } from "../world";

const { chat, moderation, notifications, push, records, recorded, my } = contract;

const messageOf = (world: World) => ({ messageId: leftBy(world, "message") });

/** Makes the post old enough to be recorded. */
async function aged(world: World) {
  const postId = leftBy(world, "post");
  await sql`update posts set created_at = created_at - interval '2 hours' where id = ${postId}`.execute(
    world.h.db,
  );
}

/** Chat, notifications, push and on-chain records. */
export const liveExamples: readonly Example[] = [
  example(chat.send)({
    as: "bob",
    input: (world) => ({ ...topicOf(world), message: "Anybody here who builds slowly on purpose?" }),
    keep: (world, { message }) => world.keep({ message: message.id }),
  }),
  example(chat.update)({
    as: "bob",
    input: (world) => ({ ...messageOf(world), message: "Anyone here who builds slowly on purpose?" }),
  }),
  example(chat.react)({
    as: "ada",
    input: (world) => ({ ...messageOf(world), emoji: "\u{1F44D}", reacted: true }),
  }),
  example(chat.list)({ as: "ada", input: (world) => ({ ...topicOf(world), limit: 50 }) }),
  example(chat.subscribe)({ as: "ada", input: topicOf }),
  example(chat.presence)({ as: "ada", input: topicOf }),
  example(moderation.hideMessage)({
    as: "ada",
    input: (world) => ({ ...messageOf(world), hidden: true, reason: "Off topic." }),
  }),
  example(chat.delete)({ as: "bob", input: messageOf }),
  example(records.status)({ as: "bob", before: aged, input: postOf }),
  example(records.record)({ as: "bob", input: postOf }),
  example(records.list)({ input: postOf }),
  example(recorded.list)({ as: "bob" }),
  example(my.recorded)({ as: "bob" }),
  example(my.recordedOnMine)({ as: "ada" }),
  example(notifications.list)({
    as: "ada",
    input: () => ({ limit: 20 }),
    keep: (world, { notifications: [latest] }) => world.keep({ notification: latest?.id ?? "" }),
  }),
  example(my.events)({ as: "ada" }),
  example(notifications.read)({ as: "ada", input: (world) => ({ upTo: leftBy(world, "notification") }) }),
  example(notifications.setKinds)({ as: "ada", input: () => ({ kinds: ["post_recorded"], push: false }) }),
  example(notifications.setDigest)({ as: "ada", input: () => ({ every: "day" }) }),
  example(my.makeFeed)({ as: "ada" }),
  example(my.feed)({ as: "ada" }),
  example(my.endFeed)({ as: "ada" }),
  example(notifications.settings)({
    as: "ada",
    before: (world) =>
      world.h
        .clientFor(world.tokens.get("ada"))
        .call(contract.topics.setNotifications, { ...topicOf(world), level: "mentions" }),
  }),
  example(push.add)({
    as: "ada",
    input: () => ({
      endpoint: "https://push.example.org/send/9f3c",
      keys: {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      },
    }),
  }),
  example(push.get)({ as: "ada" }),
  example(push.remove)({ as: "ada", input: () => ({ endpoint: "https://push.example.org/send/9f3c" }) }),
];

const { people, profile, uploads, previews, users } = contract;

/** Profile, uploads and previews. */
export const profileExamples: readonly Example[] = [
  example(uploads.create)({
    as: "ada",
    input: () => ({ filename: "portrait.png", contentType: "image/png", size: 4096, purpose: "avatar" }),
  }),
  example(profile.setImage)({
    as: "ada",
    before: uploadImage,
    input: (world) => ({ imageUrl: leftBy(world, "image") }),
  }),
  example(profile.getImage)({ as: "ada" }),
  example(profile.deleteImage)({ as: "ada" }),
  example(uploads.removed)(),
  example(uploads.delete)({
    as: "ada",
    before: uploadImage,
    input: (world) => ({ urls: [leftBy(world, "image"), "https://example.org/elsewhere.png"] }),
  }),
  example(profile.previewDomainBadge)({
    as: "ada",
    async before({ h, users }) {
      const user = { ...(await h.login("ada")), userId: users.get("ada") ?? "" };
      await verified(h, user, { domain: "example.org", provider: "provider_a" });
    },
  }),
  example(profile.addDomainBadge)({ as: "ada" }),
  example(profile.getDomainBadges)({ as: "ada" }),
  example(profile.getBadges)({ as: "ada" }),
  example(profile.getLimits)({ as: "ada" }),
  example(profile.export)({ as: "ada" }),
  example(profile.removeDomainBadge)({ as: "ada", input: () => ({ domain: "example.org" }) }),
  example(people.get)({ input: () => ({ nickname: "ada" }) }),
  example(people.posts)({ as: "bob", input: () => ({ nickname: "ada", limit: 2 }) }),
  example(people.comments)({ as: "bob", input: () => ({ nickname: "ada", limit: 2 }) }),
  example(users.block)({ as: "bob", input: (world) => ({ userId: idOf(world, "dora") }) }),
  example(users.follow)({ as: "bob", input: (world) => ({ userId: idOf(world, "ada") }) }),
  example(my.follows)({ as: "bob" }),
  example(users.unfollow)({ as: "bob", input: (world) => ({ userId: idOf(world, "ada") }) }),
  example(my.blocks)({ as: "bob" }),
  example(users.unblock)({ as: "bob", input: (world) => ({ userId: idOf(world, "dora") }) }),
  example(previews.get)({ input: () => ({ url: "https://example.org/slow-software" }) }),
  example(previews.image)({ input: () => ({ src: "https://example.org/cover.png" }) }),
];

/** Uploads an image as ada, and keeps its URL. */
async function uploadImage({ h, tokens, keep }: World): Promise<void> {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(png())], "portrait.png", { type: "image/png" }));
  form.set("purpose", "avatar");
  const answer = await h.fetch("http://localhost:3000/api/upload", {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.get("ada")}` },
    body: form,
  });
  const { publicUrl } = contract.uploads.create.responses[201].parse(await answer.json());
  keep({ image: publicUrl });
}
