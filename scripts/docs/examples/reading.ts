import { contract } from "@/lib/contract";
import { type Example, example } from "../example";
import { leftBy, postOf, topicOf } from "../world";

const { reading } = contract;

/** What is new, and marks of what was read. */
export const readingExamples: readonly Example[] = [
  example(reading.counts)({ as: "ada" }),
  example(reading.topic)({ as: "ada", input: topicOf }),
  example(reading.readTopic)({ as: "ada", input: topicOf }),
  example(reading.unreadTopic)({ as: "ada", input: (world) => ({ ...topicOf(world), ...postOf(world) }) }),
  example(reading.thread)({ as: "ada", input: postOf }),
  example(reading.readThread)({ as: "ada", input: postOf }),
  example(reading.unreadThread)({
    as: "ada",
    input: (world) => ({ ...postOf(world), commentId: leftBy(world, "comment") }),
  }),
];
