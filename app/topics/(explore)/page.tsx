import type { Metadata } from "next";
import Link from "next/link";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { TopicRow } from "@/components/topic/topic-row";
import { Button, ButtonLink } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Input } from "@/components/ui/field";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Tabs } from "@/components/ui/tabs";
import { getWords } from "@/lib/i18n/server";
import { fixedHead } from "../../_data/head";
import { categories, topics } from "../../_data/reads";
import { type SearchParams, single, withQuery } from "../../_data/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return fixedHead({ path: "/topics", title: t("topics.title"), description: t("topics.lead"), feed: true });
}

const sorts = ["hot", "new", "active", "top"] as const;

/** Every topic the reader may find: by category, word and order. */
export default async function Explore({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const query = await searchParams;
  const sort = sorts.find((s) => s === single(query.sort)) ?? "hot";
  const q = single(query.q)?.slice(0, 200);
  const [all, cursor] = [await categories(), single(query.cursor)];
  const category = all.find((c) => c.slug === single(query.category))?.slug;
  const list = await topics({ view: "all", sort, q, category, cursor, limit: 30 });
  const address = (change: Readonly<Record<string, string | undefined>>) =>
    withQuery("/topics", { sort: sort === "hot" ? undefined : sort, q, category, ...change });
  return (
    <Page
      title={t("topics.title")}
      action={
        <ButtonLink href="/topics/new" size="sm">
          {t("nav.newTopic")}
        </ButtonLink>
      }
    >
      <search>
        <form action="/topics" className="flex gap-2">
          {category ? <input type="hidden" name="category" value={category} /> : null}
          {sort === "hot" ? null : <input type="hidden" name="sort" value={sort} />}
          <Input
            type="search"
            name="q"
            defaultValue={q}
            aria-label={t("topics.search")}
            placeholder={t("topics.search")}
          />
          <Button type="submit">{t("topics.go")}</Button>
        </form>
      </search>
      <nav aria-label={t("topics.categories")} className="-mx-4 md:mx-0">
        <ul className="scrollbar-none flex gap-2 overflow-x-auto px-4 md:flex-wrap md:px-0">
          <Category href={address({ category: undefined })} label={t("topics.all")} current={!category} />
          {all.map((c) => (
            <Category
              key={c.id}
              href={address({ category: c.slug })}
              label={c.name}
              icon={c.icon}
              current={category === c.slug}
            />
          ))}
        </ul>
      </nav>
      <div>
        <Tabs
          label={t("topics.sort")}
          tabs={sorts.map((s) => ({
            href: address({ sort: s === "hot" ? undefined : s }),
            label: t(`topics.sorts.${s}`),
            current: s === sort,
          }))}
        />
        {!list.ok ? (
          <ErrorNote>{list.message}</ErrorNote>
        ) : list.value.topics.length > 0 ? (
          <div className="divide-y">
            {list.value.topics.map((topic) => (
              <TopicRow key={topic.id} topic={topic} />
            ))}
          </div>
        ) : (
          <div className="pt-5">
            <EmptyState
              title={t("topics.emptyTitle")}
              action={<ButtonLink href="/topics/new">{t("topics.startTopic")}</ButtonLink>}
            >
              {t("topics.empty")}
            </EmptyState>
          </div>
        )}
      </div>
      {list.ok ? (
        <More
          next={list.value.nextCursor && address({ cursor: list.value.nextCursor })}
          first={cursor ? address({}) : null}
        />
      ) : null}
    </Page>
  );
}

interface CategoryProps {
  readonly href: string;
  readonly label: string;
  readonly icon?: string | null;
  readonly current: boolean;
}

function Category({ href, label, icon, current }: CategoryProps) {
  return (
    <li>
      <Link
        href={href}
        aria-current={current ? "true" : undefined}
        className={cx(
          "ease tap inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap",
          current ? "border-ink bg-ink text-paper" : "bg-sheet hover:border-line-strong",
        )}
      >
        {icon ? <span aria-hidden="true">{icon}</span> : null}
        {label}
      </Link>
    </li>
  );
}
