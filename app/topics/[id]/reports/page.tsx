import { More } from "@/components/shell/more";
import { CaseList } from "@/components/staff/case-list";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { getWords } from "@/lib/i18n/server";
import { withQuery } from "../../../_data/search-params";
import { reports as readReports } from "../../../_data/staff";
import { withWords } from "../../../_parts/words";
import { partHead } from "../_parts/open";
import { type StaffListProps, staffPage } from "../_parts/topic-page";

export const generateMetadata = partHead((t, topic) => `${t("reports.title")} · ${topic}`);

export default withWords(
  ["chat", "membership", "reason", "report", "reports", "seal", "staff", "topicAlerts"],
  staffPage("reports", Reports),
);

/** The moderation queue: what members reported, and the staff's decisions. */
async function Reports({ topic, all, cursor }: StaffListProps) {
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
          { href: `/topics/${topicId}/reports`, label: t("reports.statuses.open"), current: !all },
          { href: `/topics/${topicId}/reports?status=all`, label: t("common.all"), current: all },
        ]}
      />
      {reports.length > 0 ? (
        <CaseList topicId={topicId} reports={reports} />
      ) : (
        <EmptyState title={t(all ? "reports.emptyAllTitle" : "reports.emptyTitle")}>
          {t("reports.empty")}
        </EmptyState>
      )}
      <More href={here} cursor={cursor} next={nextCursor} />
    </>
  );
}
