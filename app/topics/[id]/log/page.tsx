import { More } from "@/components/shell/more";
import { LogList } from "@/components/staff/log-list";
import { JoinLink } from "@/components/topic/join-link";
import { ButtonLink } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { type IdPageProps, single, withQuery } from "../../../_data/search-params";
import { log as readLog } from "../../../_data/staff";
import { withWords } from "../../../_parts/words";
import { Closed, openTopic, partHead } from "../_parts/open";
import { TopicPage } from "../_parts/topic-page";

export const generateMetadata = partHead((t, topic) => `${t("topic.log")} · ${topic}`);

/** The moderation log of a topic, for all its members. */
async function LogPage({ params, searchParams }: IdPageProps) {
  const { t } = await getWords();
  const view = await openTopic(params);
  if (!view) return <Closed />;
  const { topic } = view;
  const cursor = single((await searchParams).cursor);
  const list = await readLog({ topicId: topic.id, cursor });
  const here = (next?: string) => withQuery(`/topics/${topic.id}/log`, { cursor: next });
  const newest = list?.ok && !cursor ? list.value.entries[0] : undefined;
  return (
    <TopicPage view={view} part="log">
      <h2 className="sr-only">{t("topic.log")}</h2>
      {topic.abilities.includes("moderate") ? (
        <div>
          <ButtonLink href={`/topics/${topic.id}/webhooks`} size="sm">
            {t("webhooks.title")}
          </ButtonLink>
        </div>
      ) : null}
      {!list?.ok ? (
        <EmptyState title={t("members.outsiderTitle")} action={<JoinLink topic={topic} />}>
          {t("log.lead")}
        </EmptyState>
      ) : list.value.entries.length > 0 ? (
        <>
          <p className="max-w-[68ch] text-soft">{t("log.lead")}</p>
          <LogList entries={list.value.entries} />
          <More href={here} cursor={cursor} next={list.value.nextCursor} />
          <details className="text-sm text-soft">
            <summary className="tap font-medium text-ink">{t("log.chain")}</summary>
            <p className="mt-2 max-w-[68ch]">{t("log.chainText")}</p>
            {newest ? (
              <p className="mt-2 max-w-[68ch]">
                {t("log.newest", { n: newest.seq })} <Hash value={newest.hash} label={t("log.hash")} />
              </p>
            ) : null}
          </details>
        </>
      ) : (
        <EmptyState title={t("log.emptyTitle")}>{t("log.empty")}</EmptyState>
      )}
    </TopicPage>
  );
}

export default withWords(["chat", "membership", "report", "seal", "topicAlerts"], LogPage);
