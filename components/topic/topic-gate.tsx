import type { PublicConfig } from "@/components/proof/config";
import { Gate } from "@/components/proof/gate";
import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";
import type { TopicView } from "./header";

/** The word on the button that leads into a topic. */
export function joinVerb(topic: TopicView["topic"]): string {
  if (topic.proofType !== "none") return en.topic.prove;
  return topic.visibility === "private" ? en.topic.ask : en.topic.join;
}

/** A topic's gate for this viewer: seal of a member, waiting request, or the way in. */
export function TopicGate({ view, config }: { readonly view: TopicView; readonly config: PublicConfig }) {
  const { topic, currentUserRole, joinPending } = view;
  return (
    <Gate
      terms={topic}
      config={config}
      passed={currentUserRole !== null || joinPending}
      action={
        currentUserRole || joinPending ? null : (
          <ButtonLink href={`/topics/${topic.id}/join`} tone="primary">
            {joinVerb(topic)}
          </ButtonLink>
        )
      }
    >
      {topic.visibility === "private" && !currentUserRole && !joinPending ? (
        <p className="text-sm text-soft">{en.topic.visibilityHints.private}</p>
      ) : null}
      {joinPending ? <Note tone="warning" title={en.topic.pendingTitle} /> : null}
    </Gate>
  );
}
