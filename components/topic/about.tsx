import Link from "next/link";
import { useWords } from "#words";
import { type GateTerms, gateSentence } from "@/components/proof/gate-words";
import { Panel } from "@/components/shell/panel";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Topic } from "@/lib/contract";
import type { Member } from "@/lib/contract/members";
import { exactCount } from "@/lib/i18n/time";
import { opennessHint } from "./audience";
import { MemberRow } from "./member-list";
import { opennessOf } from "./openness";
import { OwnRules } from "./own-rules";

export interface TopicAboutProps {
  readonly topic: Topic;
  readonly isMember: boolean;
}

/** Facts about a topic, for the right column. */
export function TopicAbout({ topic, isMember }: TopicAboutProps) {
  const words = useWords();
  const { t } = words;
  return (
    <Panel title={t("topic.about")}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        <dt className="text-soft">{t("topic.visibility")}</dt>
        <dd>
          {t(`topic.visibilities.${opennessOf(topic)}`)}
          <span className="block text-soft">
            {opennessHint(words, opennessOf(topic), topic.proofType !== "none")}
          </span>
        </dd>
        <dt className="text-soft">{t("topic.created")}</dt>
        <dd>
          <TimeAgo at={topic.createdAt} />
        </dd>
        <dt className="text-soft">{t("topic.lastActive")}</dt>
        <dd>
          <TimeAgo at={topic.lastActivityAt} />
        </dd>
        <dt className="text-soft">{t("topic.members")}</dt>
        <dd className="tabular-nums">
          {isMember ? (
            <Link href={`/topics/${topic.id}/members`} prefetch={false} className="link reach">
              {exactCount(words, topic.memberCount)}
            </Link>
          ) : (
            exactCount(words, topic.memberCount)
          )}
        </dd>
        <dt className="text-soft">{t("topic.posts")}</dt>
        <dd className="tabular-nums">{exactCount(words, topic.postCount)}</dd>
      </dl>
    </Panel>
  );
}

/** The "About" tab of a topic: description, facts, rules and staff. */
export function TopicInFull({
  topic,
  isMember,
  staff,
}: TopicAboutProps & { readonly staff: readonly Member[] }) {
  const { t } = useWords();
  return (
    <div className="grid gap-4">
      <p className="max-w-[68ch] text-lg whitespace-pre-wrap" dir="auto">
        {topic.description || t("topic.noDescription")}
      </p>
      <TopicAbout topic={topic} isMember={isMember} />
      <OwnRules topic={topic} />
      <Rules topic={topic} />
      {staff.length > 0 ? (
        <Panel title={t("topic.staff")}>
          <ul className="-my-2 divide-y">
            {staff.map((member) => (
              <MemberRow key={member.userId} topicId={topic.id} member={member} me={null} />
            ))}
          </ul>
          <p className="text-sm text-soft">
            {t("topic.staffHint")}{" "}
            <Link href={`/topics/${topic.id}/log`} prefetch={false} className="link">
              {t("topic.toLog")}
            </Link>
          </p>
        </Panel>
      ) : null}
      {topic.visibility === "public" ? <Follow topicId={topic.id} /> : null}
    </div>
  );
}

function Rules({ topic }: { readonly topic: Topic & GateTerms }) {
  const words = useWords();
  const { t } = words;
  const isGated = topic.proofType !== "none";
  return (
    <Panel title={t("topic.rules")}>
      <ul className="grid list-disc gap-1.5 ps-5">
        <li>{gateSentence(words, topic)}</li>
        {isGated ? <li>{t("rules.gate")}</li> : null}
        <li>{t(topic.visibility === "public" ? "rules.write" : "rules.writeInside")}</li>
        <li>{t("rules.staff")}</li>
        <li>{t("rules.report")}</li>
      </ul>
    </Panel>
  );
}

function Follow({ topicId }: { readonly topicId: string }) {
  const { t } = useWords();
  return (
    <Panel title={t("topic.follow")}>
      <p className="text-sm text-soft">{t("topic.followHint")}</p>
      <p className="flex flex-wrap gap-x-4 gap-y-6">
        <a href={`/topics/${topicId}/feed.xml`} className="link reach">
          {t("topic.rss")}
        </a>
        <a href={`/topics/${topicId}/atom.xml`} className="link reach">
          {t("topic.atom")}
        </a>
      </p>
    </Panel>
  );
}
