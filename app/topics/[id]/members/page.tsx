import type { Metadata } from "next";
import { More } from "@/components/shell/more";
import { MemberRows } from "@/components/staff/member-rows";
import { SanctionRows } from "@/components/staff/sanction-rows";
import type { TopicView } from "@/components/topic/header";
import { joinVerb } from "@/components/topic/join-verb";
import { MemberList } from "@/components/topic/member-list";
import { Button, ButtonLink } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { LIMITS } from "@/lib/contract/limits";
import { getWords } from "@/lib/i18n/server";
import { members, viewer } from "../../../_data/reads";
import { type SearchParams, single, withQuery } from "../../../_data/search-params";
import { sanctions } from "../../../_data/staff";
import { Closed } from "../../../_parts/closed";
import { openTopic, partHead } from "../_parts/open";
import { TopicPage } from "../_parts/topic-page";

interface Props {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export function generateMetadata({ params }: Props): Promise<Metadata> {
  return partHead(params, (t) => t("members.title"));
}

/** Who is in a topic, found by the beginning of their nickname; for its staff what they can do, and who is muted or banned. */
export default async function MembersPage({ params, searchParams }: Props) {
  const words = await getWords();
  const { t } = words;
  const view = await openTopic(params);
  if (!view) return <Closed />;
  const query = await searchParams;
  const { topic, currentUserRole: role } = view;
  const here = `/topics/${topic.id}/members`;
  const isStaff = topic.abilities.includes("moderate");
  const showsSanctions = isStaff && single(query.show) === "sanctioned";
  return (
    <TopicPage view={view} part="members">
      <h2 className="sr-only">{t("members.title")}</h2>
      {isStaff ? (
        <Pills
          label={t("staff.lists")}
          pills={[
            { href: here, label: t("staff.everybody"), current: !showsSanctions },
            { href: `${here}?show=sanctioned`, label: t("staff.sanctioned"), current: showsSanctions },
          ]}
        />
      ) : null}
      {!role ? (
        <EmptyState
          title={t("members.outsiderTitle")}
          action={
            <ButtonLink href={`/topics/${topic.id}/join`} tone="primary" prefetch={false}>
              {joinVerb(words, topic)}
            </ButtonLink>
          }
        >
          {t("members.outsider")}
        </EmptyState>
      ) : showsSanctions ? (
        <Sanctions view={view} cursor={single(query.cursor)} />
      ) : (
        // A longer one is nobody's.
        <Everybody
          view={view}
          q={single(query.q)?.slice(0, LIMITS.nickname.max)}
          cursor={single(query.cursor)}
          handOver={single(query.handOver)}
        />
      )}
    </TopicPage>
  );
}

interface ListProps {
  readonly view: TopicView;
  readonly q?: string;
  readonly cursor: string | undefined;
  readonly handOver?: string;
}

async function Everybody({ view: { topic }, q, cursor, handOver }: ListProps) {
  const { t } = await getWords();
  const here = `/topics/${topic.id}/members`;
  const [list, who] = await Promise.all([members({ topicId: topic.id, q, cursor }), viewer()]);
  if (!list?.ok || !who) return <ErrorNote>{list?.ok === false ? list.message : null}</ErrorNote>;
  const { members: found, nextCursor } = list.value;
  return (
    <>
      <search>
        <form action={here} className="flex gap-2">
          <Input
            type="search"
            name="q"
            defaultValue={q}
            maxLength={LIMITS.nickname.max}
            autoCapitalize="none"
            spellCheck={false}
            aria-label={t("members.search")}
            placeholder={t("members.searchPlaceholder")}
          />
          <Button type="submit">{t("members.go")}</Button>
        </form>
      </search>
      {found.length === 0 ? (
        <p className="text-soft">{t("members.none")}</p>
      ) : topic.abilities.includes("moderate") ? (
        <MemberRows topicId={topic.id} members={found} me={who.userId} handOver={handOver} />
      ) : (
        <MemberList members={found} me={who.userId} />
      )}
      {q ? (
        <div>
          <ButtonLink href={here} tone="quiet" size="sm">
            {t("members.all")}
          </ButtonLink>
        </div>
      ) : null}
      <More
        next={nextCursor && withQuery(here, { q, cursor: nextCursor })}
        first={cursor ? withQuery(here, { q }) : null}
      />
    </>
  );
}

async function Sanctions({ view: { topic }, cursor }: ListProps) {
  const { t } = await getWords();
  const list = await sanctions({ topicId: topic.id, cursor });
  if (!list?.ok) return <ErrorNote>{list?.message}</ErrorNote>;
  const { sanctions: found, nextCursor } = list.value;
  if (found.length === 0) {
    return <EmptyState title={t("staff.sanctionsEmptyTitle")}>{t("staff.sanctionsEmpty")}</EmptyState>;
  }
  const here = (next?: string) =>
    withQuery(`/topics/${topic.id}/members`, { show: "sanctioned", cursor: next });
  return (
    <>
      <SanctionRows topicId={topic.id} sanctions={found} />
      <More next={nextCursor && here(nextCursor)} first={cursor ? here() : null} />
    </>
  );
}
