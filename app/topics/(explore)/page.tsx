import type { Metadata } from "next";
import Link from "next/link";
import { unreadOfTopic } from "@/components/reading/counts";
import { SearchField } from "@/components/search/search-field";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { TopicRow } from "@/components/topic/topic-row";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { Tabs } from "@/components/ui/tabs";
import { LIMITS } from "@/lib/contract/limits";
import { categoryName } from "@/lib/i18n/categories";
import { getWords } from "@/lib/i18n/server";
import { fixedHead } from "../../_data/head";
import { unreadByTopic } from "../../_data/me";
import { categories, topics, viewer } from "../../_data/reads";
import { gates, topicsWithGate } from "../../_data/search";
import { type SearchParams, single, withQuery } from "../../_data/search-params";
import { MyTopics, WelcomeCard } from "../../_parts/asides";
import { withWords } from "../../_parts/words";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return fixedHead({ path: "/topics", title: t("nav.explore"), description: t("topics.lead"), feed: true });
}

const sorts = ["hot", "new", "active", "top"] as const;

/** Every topic the reader may find, with search, filters and sort orders. */
async function Explore({ searchParams }: { readonly searchParams: SearchParams }) {
  const words = await getWords();
  const { t } = words;
  const query = await searchParams;
  const sort = sorts.find((one) => one === single(query.sort)) ?? "hot";
  const gate = gates.find((one) => one === single(query.gate));
  const q = single(query.q)?.trim().slice(0, LIMITS.search) || undefined;
  const [all, cursor] = [await categories(), single(query.cursor)];
  const category = all.find((one) => one.slug === single(query.category))?.slug;
  const who = await viewer();
  const isMine = who !== null && single(query.view) === "my";
  const view = isMine ? ("my" as const) : undefined;
  const wanted = { view: isMine ? undefined : "all", sort, q, category, cursor } as const;
  const list = await (gate ? topicsWithGate(gate, wanted, topics) : topics({ ...wanted, limit: 30 }));
  const chosen = { view, sort: sort === "hot" ? undefined : sort, q, category, gate };
  const address = (change: Readonly<Record<string, string | undefined>>) =>
    withQuery("/topics", { ...chosen, ...change });
  const unread = await unreadByTopic();
  const found = list.ok ? list.value.topics : [];
  const next = list.ok ? list.value.nextCursor : null;
  const isWhole = !next && !cursor;
  return (
    <Page
      title={t("nav.explore")}
      aside={who ? <MyTopics /> : <WelcomeCard />}
      action={
        <span className="flex gap-2">
          <ButtonLink href="/search" prefetch={false} size="sm" tone="quiet" className="lg:hidden">
            {t("search.everything")}
          </ButtonLink>
          <ButtonLink href="/topics/new" prefetch={false} size="sm">
            {t("nav.newTopic")}
          </ButtonLink>
        </span>
      }
    >
      <SearchField
        action="/topics"
        q={q}
        fixed={{ view, category, gate, sort: chosen.sort }}
        label={t("topics.search")}
        placeholder={t("topics.search")}
        go={t("search.go")}
      />
      <div className="grid gap-3">
        <Pills
          label={t("topics.categories")}
          many
          pills={[
            { href: address({ category: undefined }), label: t("common.all"), current: !category },
            ...all.map((one) => ({
              href: address({ category: one.slug }),
              label: categoryName(words, one),
              icon: one.icon,
              current: one.slug === category,
            })),
          ]}
        />
        <Pills
          label={t("topic.gateTitle")}
          many
          pills={[undefined, ...gates].map((one) => ({
            href: address({ gate: one }),
            label: t(`topics.gates.${one ?? "any"}`),
            current: one === gate,
          }))}
        />
      </div>
      <div>
        <Tabs
          label={t("topics.sort")}
          tabs={[
            ...(who
              ? [{ href: address({ view: "my", sort: undefined }), label: t("topics.mine"), current: isMine }]
              : []),
            ...sorts.map((one) => ({
              href: address({ view: undefined, sort: one === "hot" ? undefined : one }),
              label: t(one === "top" ? "topics.largest" : `feed.${one}`),
              current: !isMine && one === sort,
            })),
          ]}
        />
        {q && list.ok ? (
          <p className="flex flex-wrap gap-x-3 pt-4 text-sm text-soft">
            <span role="status">
              {isWhole ? t("topics.found", { n: found.length, q }) : t("topics.foundMore", { q })}
            </span>
            <Link href={withQuery("/search", { q })} prefetch={false} className="link">
              {t("topics.searchAll", { q })}
            </Link>
          </p>
        ) : null}
        {!list.ok ? (
          <div className="pt-5">
            <ErrorNote>{list.message}</ErrorNote>
          </div>
        ) : found.length > 0 ? (
          <div className="divide-y">
            {found.map((topic) => (
              <TopicRow key={topic.id} topic={topic} count={unreadOfTopic(unread.get(topic.id))} />
            ))}
          </div>
        ) : (
          <div className="pt-5">
            <Nothing hasMore={next !== null} isFiltered={Boolean(q || category || gate)} />
          </div>
        )}
      </div>
      <More href={(cursor) => address({ cursor })} cursor={cursor} next={next} />
    </Page>
  );
}

export default withWords(["search"], Explore);

interface NothingProps {
  /** Some topics have not been searched yet. */
  readonly hasMore: boolean;
  readonly isFiltered: boolean;
}

async function Nothing({ hasMore, isFiltered }: NothingProps) {
  const { t } = await getWords();
  if (hasMore) return <EmptyState title={t("topics.furtherTitle")}>{t("topics.further")}</EmptyState>;
  return (
    <EmptyState
      title={t("topics.emptyTitle")}
      action={
        <>
          {isFiltered ? <ButtonLink href="/topics">{t("topics.reset")}</ButtonLink> : null}
          <Link href="/topics/new" prefetch={false} className="link self-center">
            {t("topics.startTopic")}
          </Link>
        </>
      }
    >
      {t("topics.empty")}
    </EmptyState>
  );
}
