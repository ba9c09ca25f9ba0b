import Link from "next/link";
import { useWords } from "#words";
import { Panel } from "@/components/shell/panel";
import type { TopicView } from "./header";
import { LeaveTopic } from "./leave";

/** The viewer's role in a topic, and how to leave it; nothing for others. */
export function Membership({ view }: { readonly view: TopicView }) {
  const { t } = useWords();
  const { topic, currentUserRole: role } = view;
  if (!role) return null;
  return (
    <Panel title={t("membership.title")}>
      <p>{role === "member" ? t("membership.role") : t("membership.staffRole", { role })}</p>
      {role === "owner" ? (
        <p className="text-sm text-soft">
          {t("membership.ownerLeave")}{" "}
          <Link href={`/topics/${topic.id}/members`} prefetch={false} className="link">
            {t("membership.toMembers")}
          </Link>
        </p>
      ) : (
        <div>
          <LeaveTopic topic={topic} />
        </div>
      )}
    </Panel>
  );
}
