import { useWords } from "#words";
import { Gate, type GateProps } from "@/components/proof/gate";
import { Note } from "@/components/ui/notes";
import type { TopicView } from "./header";
import { JoinLink } from "./join-link";

export interface TopicGateProps extends Pick<GateProps, "config" | "shownDomains"> {
  readonly view: TopicView;
}

/** A topic's gate for this viewer: a member's seal, a pending request, or the button to join. */
export function TopicGate({ view, config, shownDomains }: TopicGateProps) {
  const { t } = useWords();
  const { topic, currentUserRole, joinPending } = view;
  return (
    <Gate
      terms={topic}
      config={config}
      shownDomains={shownDomains}
      passed={currentUserRole !== null || joinPending}
      action={currentUserRole || joinPending ? null : <JoinLink topic={topic} />}
    >
      {topic.visibility === "private" && !currentUserRole && !joinPending ? (
        <p className="text-sm text-soft">{t("topic.visibilityHints.private")}</p>
      ) : null}
      {joinPending ? <Note tone="warning" title={t("topic.pendingTitle")} /> : null}
    </Gate>
  );
}
