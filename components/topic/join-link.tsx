import { useWords } from "#words";
import { ButtonLink } from "@/components/ui/button";
import type { Topic } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";

/** Returns the label of the button that joins a topic. */
export function joinVerb(words: Words, topic: Pick<Topic, "proofType" | "requiresApproval">): string {
  if (topic.proofType !== "none") return words.t("topic.prove");
  return topic.requiresApproval ? words.t("topic.ask") : words.t("common.joinTopic");
}

/** The button that leads to the join page of a topic. */
export function JoinLink({
  topic,
}: {
  readonly topic: Pick<Topic, "id" | "proofType" | "requiresApproval">;
}) {
  return (
    <ButtonLink href={`/topics/${topic.id}/join`} tone="primary">
      {joinVerb(useWords(), topic)}
    </ButtonLink>
  );
}
