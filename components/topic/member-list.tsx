import { useWords } from "#words";
import { Avatar } from "@/components/ui/identicon";
import { Badge } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import type { contract, ResponseBody } from "@/lib/contract";

type Member = ResponseBody<typeof contract.members.list>["members"][number];

export interface MemberListProps {
  readonly members: readonly Member[];
  /** User id of the reader. */
  readonly me: string | null;
}

/** Members of a topic: who, in which role, since when. */
export function MemberList({ members, me }: MemberListProps) {
  const { t } = useWords();
  return (
    <ul className="divide-y border-y">
      {members.map((member) => (
        <li key={member.userId} className="flex items-center gap-3 py-3">
          <Avatar userId={member.userId} image={member.profileImage} size="md" />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-x-2">
              <span className="truncate font-medium">{member.nickname}</span>
              {member.userId === me ? <span className="text-sm text-soft">({t("members.you")})</span> : null}
              {member.role === "member" ? null : <Badge tone="good">{t(`topic.${member.role}`)}</Badge>}
            </p>
            <p className="text-sm text-soft">
              {t("members.since")} <TimeAgo at={member.joinedAt} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
