import type { Metadata } from "next";
import { More } from "@/components/shell/more";
import { CaseList } from "@/components/staff/case-list";
import type { TopicView } from "@/components/topic/header";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { getWords } from "@/lib/i18n/server";
import { type SearchParams, single, withQuery } from "../../../_data/search-params";
import { reports as readReports } from "../../../_data/staff";
import { Closed } from "../../../_parts/closed";
import { openTopic, partHead } from "../_parts/open";
import { StaffOnly, TopicPage } from "../_parts/topic-page";

interface Props {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export function generateMetadata({ params }: Props): Promise<Metadata> {
  return partHead(params, (t) => t("reports.title"));
}

/** The staff's queue: what members reported, and what is done about it. */
export default async function ReportsPage({ params, searchParams }: Props) {
  const view = await openTopic(params);
  if (!view) return <Closed />;
  const query = await searchParams;
  return (
    <TopicPage view={view} part="reports">
      {view.topic.abilities.includes("moderate") ? (
        <Reports view={view} all={single(query.status) === "all"} cursor={single(query.cursor)} />
      ) : (
        <StaffOnly />
      )}
    </TopicPage>
  );
}

interface ReportsProps {
  readonly view: TopicView;
  readonly all: boolean;
  readonly cursor: string | undefined;
}

async function Reports({ view: { topic }, all, cursor }: ReportsProps) {
  const { t } = await getWords();
  const topicId = topic.id;
  const status = all ? ("all" as const) : undefined;
  const list = await readReports({ topicId, status, cursor });
  if (!list?.ok) return <ErrorNote>{list?.message}</ErrorNote>;
  const { reports, nextCursor } = list.value;
  const here = (next?: string) => withQuery(`/topics/${topicId}/reports`, { status, cursor: next });
  return (
    <>
      <h2 className="sr-only">{t("reports.title")}</h2>
      <Pills
        label={t("reports.views")}
        pills={[
          { href: `/topics/${topicId}/reports`, label: t("reports.open"), current: !all },
          { href: `/topics/${topicId}/reports?status=all`, label: t("reports.all"), current: all },
        ]}
      />
      {reports.length > 0 ? (
        <CaseList topicId={topicId} reports={reports} />
      ) : (
        <EmptyState title={t(all ? "reports.emptyAllTitle" : "reports.emptyTitle")}>
          {t("reports.empty")}
        </EmptyState>
      )}
      <More next={nextCursor && here(nextCursor)} first={cursor ? here() : null} />
    </>
  );
}
