import { useWords } from "#words";
import type { Member } from "@/lib/contract/members";
import { MemberRow } from "./member-row";

export interface MemberListProps {
  readonly members: readonly Member[];
  /** User id of the reader. */
  readonly me: string | null;
}

/** Members of a topic as its members see them. */
export function MemberList({ members, me }: MemberListProps) {
  const { t } = useWords();
  return (
    <ul aria-label={t("members.title")} className="divide-y border-y">
      {members.map((member) => (
        <MemberRow key={member.userId} member={member} me={me} />
      ))}
    </ul>
  );
}
