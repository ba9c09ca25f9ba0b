import { useWords } from "#words";
import { Gate, type GateProps } from "@/components/proof/gate";
import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/notes";
import type { TopicView } from "./header";
import { joinVerb } from "./join-verb";

export interface TopicGateProps extends Pick<GateProps, "config" | "shownDomains"> {
  readonly view: TopicView;
}

/** A topic's gate for this viewer: seal of a member, waiting request, or the way in. */
export function TopicGate({ view, config, shownDomains }: TopicGateProps) {
  const words = useWords();
  const { topic, currentUserRole, joinPending } = view;
  return (
    <Gate
      terms={topic}
      config={config}
      shownDomains={shownDomains}
      passed={currentUserRole !== null || joinPending}
      action={
        currentUserRole || joinPending ? null : (
          <ButtonLink href={`/topics/${topic.id}/join`} tone="primary">
            {joinVerb(words, topic)}
          </ButtonLink>
        )
      }
    >
      {topic.visibility === "private" && !currentUserRole && !joinPending ? (
        <p className="text-sm text-soft">{words.t("topic.visibilityHints.private")}</p>
      ) : null}
      {joinPending ? <Note tone="warning" title={words.t("topic.pendingTitle")} /> : null}
    </Gate>
  );
}
