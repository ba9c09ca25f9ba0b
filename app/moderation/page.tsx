import Link from "next/link";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { Panel } from "@/components/shell/panel";
import { staffCases } from "@/components/staff/queue/case";
import { filteredPath, type QueueFilter, QueueFilters } from "@/components/staff/queue/filters";
import { KeysPanel } from "@/components/staff/queue/key-list";
import { Queue } from "@/components/staff/queue/queue";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { type CaseCounts, caseKinds, caseReasons } from "@/lib/contract/queue";
import { getWords } from "@/lib/i18n/server";
import { oneOf } from "../_data/choice";
import { queueReader, staffQueue } from "../_data/desk";
import { pageHead } from "../_data/head";
import { isId, type SearchParams, single } from "../_data/search-params";
import { withWords } from "../_parts/words";

export const generateMetadata = pageHead((t) => t("moderation.title"));

const PATH = "/moderation";

/** One queue over all topics whose staff the visitor is: reports, and texts that wait for review. */
async function Moderation({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const query = await searchParams;
  const topicId = single(query.topicId);
  const [reason, kind] = [oneOf(caseReasons, query.reason), oneOf(caseKinds, query.kind)];
  const filter: QueueFilter = { reason, kind, topicId: topicId && isId(topicId) ? topicId : undefined };
  const cursor = single(query.cursor);
  const [list, me] = await Promise.all([
    staffQueue({ reason, kind, topicId: filter.topicId, cursor }),
    queueReader(),
  ]);
  const isStaff = list?.ok && list.value.counts.topics.length > 0;
  return (
    <Page
      title={t("moderation.title")}
      back="/profile"
      aside={
        isStaff ? (
          <>
            <Topics counts={list.value.counts} />
            <KeysPanel source="staff" />
          </>
        ) : undefined
      }
    >
      {list?.ok === false ? <ErrorNote>{list.message}</ErrorNote> : null}
      {isStaff && me ? (
        <>
          <p className="max-w-[68ch] text-soft">
            {t("moderation.lead")} {t("moderation.waiting", { n: list.value.counts.open })}
          </p>
          <QueueFilters
            path={PATH}
            filter={filter}
            kinds={caseKinds}
            reasons={caseReasons}
            topics={list.value.counts.topics.map(({ topicId: id, title, open }) => ({
              id,
              label: open > 0 ? `${title} (${open})` : title,
            }))}
          />
          <Queue
            cases={staffCases(list.value.cases)}
            source="staff"
            me={me}
            topicHrefs={Object.fromEntries(
              list.value.counts.topics.map(({ topicId: id }) => [
                id,
                filteredPath(PATH, { ...filter, topicId: id }),
              ]),
            )}
            empty={
              <EmptyState title={t("queue.emptyTitle")}>
                {t(filter.reason || filter.kind || filter.topicId ? "queue.emptyFiltered" : "queue.empty")}
              </EmptyState>
            }
          />
          <More
            href={(next) => filteredPath(PATH, filter, next)}
            cursor={cursor}
            next={list.value.nextCursor}
          />
        </>
      ) : null}
      {list === null || (list.ok && !isStaff) ? (
        <EmptyState
          title={t("moderation.closedTitle")}
          action={<ButtonLink href="/topics/new">{t("nav.newTopic")}</ButtonLink>}
        >
          {t("moderation.closed")}
        </EmptyState>
      ) : null}
    </Page>
  );
}

export default withWords(
  ["desk", "notes", "proveAgain", "queue", "reason", "report", "reports", "staff"],
  Moderation,
);

/** The visitor's topics with what waits in each. */
async function Topics({ counts }: { readonly counts: CaseCounts }) {
  const { t } = await getWords();
  return (
    <Panel title={t("moderation.topics")}>
      <ul className="grid gap-1.5">
        {counts.topics.map(({ topicId, title, open, requests }) => (
          <li key={topicId} className="grid gap-0.5">
            <span className="flex items-baseline justify-between gap-2">
              <Link href={`/topics/${topicId}/reports`} prefetch={false} className="link truncate">
                {title}
              </Link>
              <span className="text-sm text-soft tabular-nums">{open}</span>
            </span>
            {requests > 0 ? (
              <Link
                href={`/topics/${topicId}/requests`}
                prefetch={false}
                className="reach text-sm text-soft hover:text-ink hover:underline"
              >
                {t("moderation.requests", { n: requests })}
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
