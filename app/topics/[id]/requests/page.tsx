import { More } from "@/components/shell/more";
import { RequestRows } from "@/components/staff/request-rows";
import { GateChip } from "@/components/topic/topic-row";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { getWords } from "@/lib/i18n/server";
import { withQuery } from "../../../_data/search-params";
import { joinRequests } from "../../../_data/staff";
import { withWords } from "../../../_parts/words";
import { partHead } from "../_parts/open";
import { type StaffListProps, staffPage } from "../_parts/topic-page";

export const generateMetadata = partHead((t, topic) => `${t("requests.title")} · ${topic}`);

export default withWords(
  ["chat", "membership", "report", "requests", "seal", "topicAlerts"],
  staffPage("requests", Requests),
);

/** Requests to join a topic, what the applicants proved, and the staff's decisions. */
async function Requests({ topic, all, cursor }: StaffListProps) {
  const { t } = await getWords();
  const status = all ? ("all" as const) : undefined;
  const list = await joinRequests({ topicId: topic.id, status, cursor });
  const here = (next?: string) => withQuery(`/topics/${topic.id}/requests`, { status, cursor: next });
  return (
    <>
      <h2 className="sr-only">{t("requests.title")}</h2>
      <Pills
        label={t("requests.views")}
        pills={[
          { href: `/topics/${topic.id}/requests`, label: t("requests.statuses.pending"), current: !all },
          { href: `/topics/${topic.id}/requests?status=all`, label: t("common.all"), current: all },
        ]}
      />
      {!list?.ok ? (
        <ErrorNote>{list?.message}</ErrorNote>
      ) : list.value.requests.length > 0 ? (
        <>
          <RequestRows
            topicId={topic.id}
            requests={list.value.requests}
            keepsDecided={all}
            proved={
              topic.proofType === "none" ? (
                t("requests.noGate")
              ) : (
                <span className="inline-flex flex-wrap items-center gap-x-2">
                  {t("requests.proved")}
                  <GateChip topic={topic} />
                </span>
              )
            }
          />
          <p className="text-sm text-soft">{t("requests.rejectHint")}</p>
          <More href={here} cursor={cursor} next={list.value.nextCursor} />
        </>
      ) : (
        <EmptyState
          title={t(all ? "requests.emptyAllTitle" : "requests.emptyTitle")}
          action={
            all ? null : (
              <ButtonLink href={`/topics/${topic.id}/invites`} prefetch={false}>
                {t("invites.title")}
              </ButtonLink>
            )
          }
        >
          {t("requests.empty")}
        </EmptyState>
      )}
    </>
  );
}
