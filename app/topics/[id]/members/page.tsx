import { More } from "@/components/shell/more";
import { AnonymousBanRows } from "@/components/staff/anonymous-ban-rows";
import { MemberRows } from "@/components/staff/member-rows";
import { OfferNote } from "@/components/staff/ownership-offer";
import { SanctionRows } from "@/components/staff/sanction-rows";
import type { TopicView } from "@/components/topic/header";
import { JoinLink } from "@/components/topic/join-link";
import { MemberList } from "@/components/topic/member-list";
import { Button, ButtonLink } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { LIMITS } from "@/lib/contract/limits";
import type { OwnershipOffer } from "@/lib/contract/ownership";
import { getWords } from "@/lib/i18n/server";
import { blockedUsers } from "../../../_data/me";
import { members, viewer } from "../../../_data/reads";
import { type IdPageProps, single, withQuery } from "../../../_data/search-params";
import { anonymousBans, ownershipOffer, sanctions, staffOf } from "../../../_data/staff";
import { withWords } from "../../../_parts/words";
import { Closed, openTopic, partHead } from "../_parts/open";
import { TopicPage } from "../_parts/topic-page";

export const generateMetadata = partHead((t, topic) => `${t("topic.members")} · ${topic}`);

/** The members of a topic, with a search by nickname prefix. Staff also see actions, mutes and bans. */
async function MembersPage({ params, searchParams }: IdPageProps) {
  const { t } = await getWords();
  const view = await openTopic(params);
  if (!view) return <Closed />;
  const query = await searchParams;
  const { topic, currentUserRole: role } = view;
  const here = `/topics/${topic.id}/members`;
  const isStaff = topic.abilities.includes("moderate");
  const showsSanctions = isStaff && single(query.show) === "sanctioned";
  return (
    <TopicPage view={view} part="members">
      <h2 className="sr-only">{t("topic.members")}</h2>
      {isStaff ? (
        <Pills
          label={t("staff.lists")}
          pills={[
            { href: here, label: t("staff.everybody"), current: !showsSanctions },
            { href: `${here}?show=sanctioned`, label: t("staff.sanctioned"), current: showsSanctions },
          ]}
        />
      ) : null}
      {!role || view.proof?.state === "lapsed" ? (
        <EmptyState title={t("members.outsiderTitle")} action={<JoinLink topic={topic} />}>
          {t("members.outsider")}
        </EmptyState>
      ) : showsSanctions ? (
        <Sanctions view={view} cursor={single(query.cursor)} />
      ) : (
        // No nickname is longer.
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

export default withWords(
  [
    "anonymous",
    "chat",
    "members",
    "membership",
    "notes",
    "offer",
    "proveAgain",
    "reason",
    "report",
    "seal",
    "staff",
    "topic",
    "topicAlerts",
  ],
  MembersPage,
);

interface ListProps {
  readonly view: TopicView;
  readonly q?: string;
  readonly cursor: string | undefined;
  readonly handOver?: string;
}

async function Everybody({ view: { topic }, q, cursor, handOver }: ListProps) {
  const { t } = await getWords();
  const here = `/topics/${topic.id}/members`;
  const [list, who, blocked, offer] = await Promise.all([
    members({ topicId: topic.id, q, cursor }),
    viewer(),
    blockedUsers(),
    ownershipOffer(topic.id),
  ]);
  if (!list?.ok || !who) return <ErrorNote>{list?.ok === false ? list.message : null}</ErrorNote>;
  const { members: found, nextCursor } = list.value;
  return (
    <>
      {offer ? <Offer topicId={topic.id} offer={offer} /> : null}
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
          <Button type="submit">{t("search.go")}</Button>
        </form>
      </search>
      {found.length === 0 ? (
        <p className="text-soft">{t("members.none")}</p>
      ) : topic.abilities.includes("moderate") ? (
        <MemberRows topicId={topic.id} members={found} me={who.userId} handOver={handOver} />
      ) : (
        <MemberList
          topicId={topic.id}
          members={found}
          me={who.userId}
          blocked={(blocked ?? []).map(({ userId }) => userId)}
        />
      )}
      {q ? (
        <div>
          <ButtonLink href={here} tone="quiet" size="sm">
            {t("members.all")}
          </ButtonLink>
        </div>
      ) : null}
      <More href={(next) => withQuery(here, { q, cursor: next })} cursor={cursor} next={nextCursor} />
    </>
  );
}

async function Offer({ topicId, offer }: { readonly topicId: string; readonly offer: OwnershipOffer }) {
  const owner = (await staffOf(topicId)).find(({ role }) => role === "owner");
  return <OfferNote topicId={topicId} offer={offer} owner={owner?.nickname ?? ""} />;
}

async function Sanctions({ view: { topic }, cursor }: ListProps) {
  const { t } = await getWords();
  const [list, nameless] = await Promise.all([
    sanctions({ topicId: topic.id, cursor }),
    cursor ? null : anonymousBans(topic.id),
  ]);
  if (!list?.ok) return <ErrorNote>{list?.message}</ErrorNote>;
  const { sanctions: found, nextCursor } = list.value;
  const bans = nameless?.ok ? nameless.value.bans : [];
  if (found.length + bans.length === 0) {
    return <EmptyState title={t("staff.sanctionsEmptyTitle")}>{t("staff.sanctionsEmpty")}</EmptyState>;
  }
  const here = (next?: string) =>
    withQuery(`/topics/${topic.id}/members`, { show: "sanctioned", cursor: next });
  return (
    <>
      {found.length > 0 ? <SanctionRows topicId={topic.id} sanctions={found} /> : null}
      <AnonymousBanRows topicId={topic.id} bans={bans} />
      <More href={here} cursor={cursor} next={nextCursor} />
    </>
  );
}
