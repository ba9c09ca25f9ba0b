import { More } from "@/components/shell/more";
import { deskCases } from "@/components/staff/queue/case";
import { filteredPath, type QueueFilter, QueueFilters } from "@/components/staff/queue/filters";
import { Queue } from "@/components/staff/queue/queue";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { reportedKinds, reportReasons } from "@/lib/contract/moderation";
import { getWords } from "@/lib/i18n/server";
import { oneOf } from "../_data/choice";
import { type DeskViewer, deskReports, queueReader } from "../_data/desk";
import { pageHead } from "../_data/head";
import { isId, type SearchParams, single } from "../_data/search-params";
import { withWords } from "../_parts/words";
import { deskPage } from "./_parts/desk-page";

export const generateMetadata = pageHead((t) => t("desk.title"));

export default withWords(
  ["desk", "notes", "proveAgain", "queue", "reason", "report", "reports", "staff"],
  deskPage("queue", DeskQueue),
);

const PATH = "/desk";

interface DeskQueueProps {
  readonly searchParams: SearchParams;
  readonly viewer: DeskViewer;
}

/** The queue of operators and reviewers: reports to them over all topics, profiles and tags. */
async function DeskQueue({ searchParams, viewer }: DeskQueueProps) {
  const { t } = await getWords();
  const query = await searchParams;
  const topicId = single(query.topicId);
  const reason = oneOf(reportReasons, query.reason);
  const filter: QueueFilter = {
    reason,
    kind: oneOf(reportedKinds, query.kind),
    topicId: topicId && isId(topicId) ? topicId : undefined,
    status: oneOf(["all"] as const, query.status),
  };
  const cursor = single(query.cursor);
  const [list, me] = await Promise.all([deskReports({ ...filter, reason, cursor }), queueReader()]);
  if (!list?.ok || !me) return <ErrorNote>{list?.ok === false ? list.message : null}</ErrorNote>;
  const { reports, nextCursor } = list.value;
  const cases = deskCases(reports, viewer.role);
  const isFiltered = Boolean(filter.reason ?? filter.kind ?? filter.topicId);
  return (
    <>
      <p className="max-w-[68ch] text-soft">
        {t("desk.lead")} {viewer.role === "reviewer" ? t("desk.reviewerLead") : null}
      </p>
      <QueueFilters
        path={PATH}
        filter={filter}
        kinds={reportedKinds}
        reasons={reportReasons}
        topicTitle={reports[0]?.topicTitle}
        showsAnswered
      />
      <Queue
        cases={cases}
        source="desk"
        me={me}
        keepsAnswered={filter.status === "all"}
        topicHrefs={Object.fromEntries(
          cases.flatMap(({ topic }) =>
            topic ? [[topic.id, filteredPath(PATH, { ...filter, topicId: topic.id })]] : [],
          ),
        )}
        empty={
          <EmptyState title={t("queue.emptyTitle")}>
            {t(isFiltered ? "queue.emptyFiltered" : "queue.empty")}
          </EmptyState>
        }
      />
      <More href={(next) => filteredPath(PATH, filter, next)} cursor={cursor} next={nextCursor} />
    </>
  );
}
