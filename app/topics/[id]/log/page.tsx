import type { Metadata } from "next";
import { More } from "@/components/shell/more";
import { LogList } from "@/components/staff/log-list";
import { joinVerb } from "@/components/topic/join-verb";
import { ButtonLink } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { type SearchParams, single, withQuery } from "../../../_data/search-params";
import { log as readLog } from "../../../_data/staff";
import { Closed } from "../../../_parts/closed";
import { openTopic, partHead } from "../_parts/open";
import { TopicPage } from "../_parts/topic-page";

interface Props {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export function generateMetadata({ params }: Props): Promise<Metadata> {
  return partHead(params, (t) => t("log.title"));
}

/** What the staff of a topic did, for all its members. */
export default async function LogPage({ params, searchParams }: Props) {
  const words = await getWords();
  const { t } = words;
  const view = await openTopic(params);
  if (!view) return <Closed />;
  const { topic } = view;
  const cursor = single((await searchParams).cursor);
  const list = await readLog({ topicId: topic.id, cursor });
  const here = (next?: string) => withQuery(`/topics/${topic.id}/log`, { cursor: next });
  const newest = list?.ok && !cursor ? list.value.entries[0] : undefined;
  return (
    <TopicPage view={view} part="log">
      <h2 className="sr-only">{t("log.title")}</h2>
      {!list?.ok ? (
        <EmptyState
          title={t("members.outsiderTitle")}
          action={
            <ButtonLink href={`/topics/${topic.id}/join`} tone="primary" prefetch={false}>
              {joinVerb(words, topic)}
            </ButtonLink>
          }
        >
          {t("log.lead")}
        </EmptyState>
      ) : list.value.entries.length > 0 ? (
        <>
          <p className="max-w-[68ch] text-soft">{t("log.lead")}</p>
          <LogList entries={list.value.entries} />
          <More next={list.value.nextCursor && here(list.value.nextCursor)} first={cursor ? here() : null} />
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
