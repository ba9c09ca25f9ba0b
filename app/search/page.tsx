import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { PostList } from "@/components/post/post-list";
import { ReportMenu } from "@/components/report/report-menu";
import { CommentHit, TagList } from "@/components/search/hits";
import { SearchField } from "@/components/search/search-field";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { TopicRow } from "@/components/topic/topic-row";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Tabs } from "@/components/ui/tabs";
import { LIMITS } from "@/lib/contract/limits";
import { getWords } from "@/lib/i18n/server";
import { feed, viewer } from "../_data/reads";
import { found as readFound, tags as readTags } from "../_data/search";
import { type SearchParams, single, withQuery } from "../_data/search-params";
import { Posts } from "../_parts/posts";
import { Streamed } from "../_parts/streamed";
import { withWords } from "../_parts/words";

interface Props {
  readonly searchParams: SearchParams;
}

const kinds = ["topics", "posts", "comments"] as const;
type Kind = (typeof kinds)[number];

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { t } = await getWords();
  const { q, tag } = await searchParams;
  const asked = single(tag) ? `#${single(tag)}` : single(q);
  return { title: asked ? t("search.titleOf", { q: asked.slice(0, 100) }) : t("nav.search") };
}

/** Search in everything the reader may read, by words or by tag. */
async function SearchPage({ searchParams }: Props) {
  const { t } = await getWords();
  const query = await searchParams;
  const q = single(query.q)?.trim().slice(0, LIMITS.search) || undefined;
  const tag = q ? undefined : single(query.tag)?.slice(0, 100);
  const type = kinds.find((one) => one === single(query.type));
  const cursor = single(query.cursor);
  return (
    <Page title={t("nav.search")} back="/topics">
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
            tabs={[undefined, ...kinds].map((one) => ({
              href: withQuery("/search", { q, type: one }),
              label: t(one ? `search.${one}` : "common.all"),
              current: one === type,
            }))}
          />
          <Streamed>
            <Results q={q} type={type} cursor={type && cursor} />
          </Streamed>
        </div>
      ) : tag ? (
        <Streamed>
          <TagPosts tag={tag} cursor={cursor} />
        </Streamed>
      ) : (
        <Start />
      )}
    </Page>
  );
}

export default withWords(["report", "search"], SearchPage);

/** Before a search: what the page is for, and popular tags. */
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

interface TagPostsProps {
  /** Slug of the tag. */
  readonly tag: string;
  readonly cursor: string | undefined;
}

/** Posts with a tag, latest first. */
async function TagPosts({ tag, cursor }: TagPostsProps) {
  const { t } = await getWords();
  const [list, who] = await Promise.all([feed({ tag, sort: "new", cursor }), viewer()]);
  const here = (next?: string) => withQuery("/search", { tag, cursor: next });
  return (
    <section aria-labelledby="tag">
      <div className="flex items-center justify-between gap-2">
        <h2 id="tag" className="min-w-0 font-serif text-xl font-semibold wrap-anywhere" dir="auto">
          {t("search.tagTitle", { tag })}
        </h2>
        {/* What nobody used cannot be reported. */}
        {who && list.ok && list.value.posts.length > 0 ? <ReportMenu target={{ kind: "tag", tag }} /> : null}
      </div>
      <Posts
        list={list}
        empty={<EmptyState title={t("search.tagEmptyTitle")}>{t("search.tagEmpty")}</EmptyState>}
      />
      <More href={here} cursor={cursor} next={list.ok ? list.value.nextCursor : null} />
    </section>
  );
}

/** Results of each kind that the API returns when it searches all kinds; a full list links to the rest. */
const FEW = 5;

interface ResultsProps {
  readonly q: string;
  /** One kind, as a list with pages; absent for the first results of every kind. */
  readonly type: Kind | undefined;
  readonly cursor: string | undefined;
}

async function Results({ q, type, cursor }: ResultsProps) {
  const { t } = await getWords();
  const [list, tags] = await Promise.all([readFound({ q, type, cursor }), type ? null : readTags(tagOf(q))]);
  if (!list.ok) return <ErrorNote>{list.message}</ErrorNote>;
  const { topics, posts, comments, nextCursor } = list.value;
  const tagged = tags?.ok ? tags.value.tags : [];
  const total = topics.length + posts.length + comments.length;
  // One page does not tell how long the whole list is.
  const isWhole = type
    ? !nextCursor && !cursor
    : Math.max(topics.length, posts.length, comments.length) < FEW;
  const here = (next?: string) => withQuery("/search", { q, type, cursor: next });
  return (
    <>
      <p role="status" className="pt-4 text-sm text-soft">
        {isWhole ? t("search.found", { n: total, q }) : t("search.foundMore", { q })}
      </p>
      {tagged.length > 0 ? (
        <div className="pt-4">
          <TagList tags={tagged} label={t("search.tags")} />
        </div>
      ) : null}
      {total === 0 ? <Nothing q={q} /> : null}
      <Section kind="topics" q={q} count={topics.length} isAlone={type === "topics"}>
        <div className="divide-y">
          {topics.map((topic) => (
            <TopicRow key={topic.id} topic={topic} />
          ))}
        </div>
      </Section>
      <Section kind="posts" q={q} count={posts.length} isAlone={type === "posts"}>
        <PostList posts={posts} />
      </Section>
      <Section kind="comments" q={q} count={comments.length} isAlone={type === "comments"}>
        <div className="divide-y">
          {comments.map((comment) => (
            <CommentHit key={comment.id} comment={comment} q={q} />
          ))}
        </div>
      </Section>
      {type ? <More href={here} cursor={cursor} next={nextCursor} /> : null}
    </>
  );
}

/** Returns the last word of a search as the start of a tag; tags are single words. */
function tagOf(q: string): string {
  return (q.split(/\s+/).at(-1) ?? "").replace(/^#/, "").toLowerCase();
}

const moreWords = { topics: "moreTopics", posts: "morePosts", comments: "moreComments" } as const;

interface SectionProps {
  readonly kind: Kind;
  readonly q: string;
  readonly count: number;
  /** True where the search is for this kind only. */
  readonly isAlone: boolean;
  readonly children: ReactNode;
}

async function Section({ kind, q, count, isAlone, children }: SectionProps) {
  const { t } = await getWords();
  if (count === 0) return null;
  return (
    <section aria-label={t(`search.${kind}`)} className="pt-4">
      {isAlone ? null : <p className="text-xs font-semibold text-soft">{t(`search.${kind}`)}</p>}
      {children}
      {count >= FEW && !isAlone ? (
        <Link href={withQuery("/search", { q, type: kind })} className="link">
          {t(`search.${moreWords[kind]}`)}
        </Link>
      ) : null}
    </section>
  );
}

async function Nothing({ q }: { readonly q: string }) {
  const { t } = await getWords();
  return (
    <div className="pt-4">
      <EmptyState
        title={t("search.nothingTitle")}
        action={<ButtonLink href={withQuery("/topics", { q })}>{t("problems.explore")}</ButtonLink>}
      >
        {t("search.nothing")}
      </EmptyState>
    </div>
  );
}
