import type { ReactNode } from "react";
import { useWords } from "#words";
import { MemberMenu } from "@/components/block/member-menu";
import { ShownDomains } from "@/components/proof/shown-domains";
import { Badge } from "@/components/ui/badge";
import { Avatar } from "@/components/ui/identicon";
import { MemberLink } from "@/components/ui/member-name";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Member } from "@/lib/contract/members";

export interface MemberListProps {
  readonly topicId: string;
  readonly members: readonly Member[];
  /** User id of the reader. */
  readonly me: string | null;
  /** Ids of users whom the reader blocked. */
  readonly blocked: readonly string[];
}

/** The members of a topic, as other members see them. */
export function MemberList({ topicId, members, me, blocked }: MemberListProps) {
  const { t } = useWords();
  return (
    <ul aria-label={t("topic.members")} className="divide-y border-y">
      {members.map((member) => (
        <MemberRow key={member.userId} topicId={topicId} member={member} me={me}>
          {member.userId === me ? null : (
            <MemberMenu
              member={{ userId: member.userId, nickname: member.nickname }}
              isBlocked={blocked.includes(member.userId)}
            />
          )}
        </MemberRow>
      ))}
    </ul>
  );
}

export interface MemberRowProps {
  readonly topicId: string;
  readonly member: Member;
  /** User id of the reader. */
  readonly me: string | null;
  /** Actions. */
  readonly children?: ReactNode;
}

/** A member of a topic in a list, with their role and join date. */
export function MemberRow({ topicId, member, me, children }: MemberRowProps) {
  const { t } = useWords();
  return (
    <li className="flex items-center gap-3 py-3">
      <Avatar userId={member.userId} image={member.profileImage} size="md" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <MemberLink of={member.nickname} className="truncate font-medium" />
          <ShownDomains of={member.domains} by={{ nickname: member.nickname, topicId }} />
          {member.userId === me ? <span className="text-sm text-soft">({t("chat.you")})</span> : null}
          {member.role === "member" ? null : <Badge tone="good">{t(`topic.${member.role}`)}</Badge>}
        </p>
        <p className="text-sm text-soft">
          {t("members.since")} <TimeAgo at={member.joinedAt} />
          {member.provenAt && member.provenAt !== member.joinedAt ? (
            <>
              {" · "}
              {t("members.proven")} <TimeAgo at={member.provenAt} />
            </>
          ) : null}
        </p>
      </div>
      {children}
    </li>
  );
}
