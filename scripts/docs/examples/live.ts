import { sql } from "kysely";
import { contract } from "@/lib/contract";
import { type Example, example } from "../example";
import { leftBy, type World } from "../world";

const { chat, notifications, push, records, recorded, my } = contract;
const topicOf = (world: World) => ({ topicId: leftBy(world, "topic") });
const postOf = (world: World) => ({ postId: leftBy(world, "post") });

/** Lets an hour pass for the post, so that it can be recorded. */
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
  }),
  example(chat.list)({ as: "ada", input: (world) => ({ ...topicOf(world), limit: 50 }) }),
  example(chat.subscribe)({ as: "ada", input: topicOf }),
  example(chat.presence)({ as: "ada", input: topicOf }),
  example(records.status)({ as: "bob", before: aged, input: postOf }),
  example(records.record)({ as: "bob", input: postOf }),
  example(records.list)({ input: postOf }),
  example(recorded.list)({ as: "bob" }),
  example(my.recorded)({ as: "bob" }),
  example(my.recordedOnMine)({ as: "ada" }),
  example(notifications.list)({
    as: "ada",
    input: () => ({ limit: 20 }),
    keep({ values }, { notifications: [latest] }) {
      values.set("notification", latest?.id ?? "");
    },
  }),
  example(my.events)({ as: "ada" }),
  example(notifications.read)({ as: "ada", input: (world) => ({ upTo: leftBy(world, "notification") }) }),
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
