import type { Metadata } from "next";
import Link from "next/link";
import { SearchField } from "@/components/search/search-field";
import { TagList } from "@/components/search/tag-list";
import { Page } from "@/components/shell/page";
import { EmptyState } from "@/components/ui/notes";
import { Tabs } from "@/components/ui/tabs";
import { LIMITS } from "@/lib/contract/limits";
import { getWords } from "@/lib/i18n/server";
import { tags as readTags } from "../_data/search";
import { type SearchParams, single, withQuery } from "../_data/search-params";
import { Results } from "./_parts/results";
import { TagPosts } from "./_parts/tag-posts";

interface Props {
  readonly searchParams: SearchParams;
}

const types = ["topics", "posts", "comments"] as const;

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { t } = await getWords();
  const { q, tag } = await searchParams;
  const asked = single(tag) ? `#${single(tag)}` : single(q);
  return { title: asked ? t("search.titleOf", { q: asked.slice(0, 100) }) : t("search.title") };
}

/** Everything the reader may read, by words or by tag. */
export default async function SearchPage({ searchParams }: Props) {
  const { t } = await getWords();
  const query = await searchParams;
  const q = single(query.q)?.trim().slice(0, LIMITS.search) || undefined;
  const tag = q ? undefined : single(query.tag)?.slice(0, 100);
  const type = types.find((one) => one === single(query.type));
  const cursor = single(query.cursor);
  return (
    <Page title={t("search.title")} back="/topics">
      <SearchField
        action="/search"
        q={q}
        fixed={{ type }}
        label={t("search.label")}
        placeholder={t("search.placeholder")}
        go={t("search.go")}
        focus={!q && !tag}
      />
      {q ? (
        <div>
          <Tabs
            label={t("search.kinds")}
            tabs={[undefined, ...types].map((one) => ({
              href: withQuery("/search", { q, type: one }),
              label: t(`search.${one ?? "all"}`),
              current: one === type,
            }))}
          />
          <Results q={q} type={type} cursor={type && cursor} />
        </div>
      ) : tag ? (
        <TagPosts tag={tag} cursor={cursor} />
      ) : (
        <Start />
      )}
    </Page>
  );
}

/** What can be done here, before anything was typed. */
async function Start() {
  const { t } = await getWords();
  const tags = await readTags();
  return (
    <>
      <EmptyState
        title={t("search.startTitle")}
        action={
          <Link href="/topics" className="link reach">
            {t("problems.explore")}
          </Link>
        }
      >
        {t("search.start")}
      </EmptyState>
      {tags.ok && tags.value.tags.length > 0 ? (
        <section className="grid gap-3">
          <h2 className="font-serif text-xl font-semibold">{t("search.popular")}</h2>
          <TagList tags={tags.value.tags} label={t("search.popular")} />
        </section>
      ) : null}
    </>
  );
}
