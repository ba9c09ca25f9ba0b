import Link from "next/link";
import { useWords } from "#words";
import { Share } from "@/components/post/share";
import { Panel } from "@/components/shell/panel";
import { Hash } from "@/components/ui/hash";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Topic } from "@/lib/contract";
import { exactCount } from "@/lib/i18n/time";

export interface TopicAboutProps {
  readonly topic: Topic;
  readonly isMember: boolean;
  /** The whole description, for the tab on narrow screens. */
  readonly long?: boolean;
}

/** Facts about a topic and, for members, the code that lets others in. */
export function TopicAbout({ topic, isMember, long }: TopicAboutProps) {
  const words = useWords();
  return (
    <div className="grid gap-4">
      <Panel title={words.t("topic.about")}>
        {long ? (
          <p className="whitespace-pre-wrap" dir="auto">
            {topic.description || words.t("topic.noDescription")}
          </p>
        ) : null}
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
          <dt className="text-soft">{words.t("topic.visibility")}</dt>
          <dd>
            {words.t(`topic.visibilities.${topic.visibility}`)}
            <span className="block text-soft">{words.t(`topic.visibilityHints.${topic.visibility}`)}</span>
          </dd>
          <dt className="text-soft">{words.t("topic.created")}</dt>
          <dd>
            <TimeAgo at={topic.createdAt} />
          </dd>
          <dt className="text-soft">{words.t("topic.lastActive")}</dt>
          <dd>
            <TimeAgo at={topic.lastActivityAt} />
          </dd>
          <dt className="text-soft">{words.t("topic.memberCount")}</dt>
          <dd className="tabular-nums">
            {isMember ? (
              <Link href={`/topics/${topic.id}/members`} prefetch={false} className="link">
                {exactCount(words, topic.memberCount)}
              </Link>
            ) : (
              exactCount(words, topic.memberCount)
            )}
          </dd>
        </dl>
      </Panel>
      {isMember && topic.inviteCode ? (
        <Panel title={words.t("topic.inviteTitle")}>
          <p className="font-mono text-lg tracking-wider">
            <Hash value={topic.inviteCode} label={words.t("topic.inviteCode")} />
          </p>
          <p className="text-sm text-soft">{words.t("topic.inviteHint")}</p>
          <div className="-ms-3">
            <Share
              path={`/invite/${topic.inviteCode}`}
              label={words.t("topic.inviteLink")}
              title={topic.title}
            />
          </div>
        </Panel>
      ) : null}
    </div>
  );
}
