import type { Topic } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";

/** The word on the button that leads into a topic. */
export function joinVerb(words: Words, topic: Pick<Topic, "proofType" | "visibility">): string {
  if (topic.proofType !== "none") return words.t("topic.prove");
  return topic.visibility === "private" ? words.t("topic.ask") : words.t("topic.join");
}
