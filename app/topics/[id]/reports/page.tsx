import { More } from "@/components/shell/more";
import { staffCases, topicCases } from "@/components/staff/queue/case";
import { Queue } from "@/components/staff/queue/queue";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { getWords } from "@/lib/i18n/server";
import { queueReader, staffQueue } from "../../../_data/desk";
import { withQuery } from "../../../_data/search-params";
import { reports as readReports } from "../../../_data/staff";
import { withWords } from "../../../_parts/words";
import { partHead } from "../_parts/open";
import { type StaffListProps, staffPage } from "../_parts/topic-page";

export const generateMetadata = partHead((t, topic) => `${t("reports.title")} · ${topic}`);

export default withWords(
  [
    ...(["chat", "desk", "membership", "proveAgain", "queue", "reason", "report"] as const),
    ...(["notes", "reports", "seal", "staff", "topicAlerts"] as const),
  ],
  staffPage("reports", Reports),
);

/** The moderation queue of one topic: what members reported, and the staff's decisions. */
async function Reports({ topic, all, cursor }: StaffListProps) {
  const { t } = await getWords();
  const topicId = topic.id;
  const [list, me] = await Promise.all([casesOf(topicId, all, cursor), queueReader()]);
  if (!list?.ok || !me) return <ErrorNote>{list?.ok === false ? list.message : null}</ErrorNote>;
  const { cases, nextCursor } = list;
  const here = (next?: string) =>
    withQuery(`/topics/${topicId}/reports`, { status: all ? "all" : undefined, cursor: next });
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
      <Queue
        cases={cases}
        source="staff"
        me={me}
        keepsAnswered={all}
        empty={
          <EmptyState title={t(all ? "reports.emptyAllTitle" : "reports.emptyTitle")}>
            {t("reports.empty")}
          </EmptyState>
        }
      />
      <More href={here} cursor={cursor} next={nextCursor} />
    </>
  );
}

/** Open cases, or every report. */
async function casesOf(topicId: string, all: boolean, cursor: string | undefined) {
  if (all) {
    const list = await readReports({ topicId, status: "all", cursor });
    if (!list?.ok) return list;
    const { reports, nextCursor } = list.value;
    return { ok: true, cases: topicCases(reports), nextCursor } as const;
  }
  const list = await staffQueue({ topicId, cursor });
  if (!list?.ok) return list;
  return { ok: true, cases: staffCases(list.value.cases, false), nextCursor: list.value.nextCursor } as const;
}
