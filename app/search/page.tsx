import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { PostList } from "@/components/post/post-list";
import { ReportMenu } from "@/components/report/report-menu";
import { type Period, periods, SearchFilters } from "@/components/search/filters";
import { CommentHit, TagList } from "@/components/search/hits";
import { SearchField } from "@/components/search/search-field";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { TopicRow } from "@/components/topic/topic-row";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { Tabs } from "@/components/ui/tabs";
import { uuid } from "@/lib/contract/common";
import { LIMITS } from "@/lib/contract/limits";
import { getWords } from "@/lib/i18n/server";
import { feed, myTopics, topic as readTopic, viewer } from "../_data/reads";
import { found as readFound, tags as readTags } from "../_data/search";
import { type SearchParams, single, withQuery } from "../_data/search-params";
import { MyTopics } from "../_parts/asides";
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
  const filters = filtersOf(query);
  return (
    <Page title={t("nav.search")} back="/topics" aside={<MyTopics />}>
      <SearchField
        action="/search"
        q={q}
        fixed={{ type, ...filters }}
        label={t("search.label")}
        placeholder={t("search.placeholder")}
        go={t("search.go")}
        focus={!q && !tag}
      />
      {q ? (
        <div>
          <Tabs
            label={t("search.kinds")}
            // Topics have no author, and are in no topic.
            tabs={[undefined, ...kinds.filter((one) => one !== "topics" || !isFiltered(filters))].map(
              (one) => ({
                href: withQuery("/search", { q, type: one, ...filters }),
                label: t(one ? `search.${one}` : "common.all"),
                current: one === type,
              }),
            )}
          />
          <Filters q={q} type={type} filters={filters} />
          <Streamed>
            <Results q={q} type={type} filters={filters} cursor={type && cursor} />
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

/** The filters in a search's address. Malformed ones count as absent. */
interface AddressFilters {
  /** A nickname. */
  readonly author?: string;
  /** Id of a topic. */
  readonly topic?: string;
  readonly within?: Period;
}

function filtersOf({ author, topic, within }: Awaited<SearchParams>): AddressFilters {
  return {
    author: single(author)?.trim().slice(0, LIMITS.search) || undefined,
    topic: uuid.safeParse(topic).data,
    within: periods.find((one) => one === single(within)),
  };
}

const isFiltered = ({ author, topic, within }: AddressFilters) => Boolean(author || topic || within);

const DAY_MS = 86_400_000;
const PERIOD_DAYS: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 30, year: 365 };

function sinceOf(within: Period | undefined): string | undefined {
  return within && new Date(Date.now() - PERIOD_DAYS[within] * DAY_MS).toISOString();
}

interface FiltersProps {
  readonly q: string;
  readonly type: Kind | undefined;
  readonly filters: AddressFilters;
}

async function Filters({ q, type, filters }: FiltersProps) {
  const [mine, chosen] = await Promise.all([
    viewer().then((who) => (who ? myTopics(100) : [])),
    filters.topic ? readTopic(filters.topic) : null,
  ]);
  const other = chosen?.ok && !mine.some(({ id }) => id === filters.topic) ? [chosen.value.topic] : [];
  return (
    <SearchFilters
      // The fields keep what was typed into them; another search has its own.
      key={JSON.stringify(filters)}
      q={q}
      type={type}
      author={filters.author}
      topic={filters.topic}
      within={filters.within}
      topics={[...other, ...mine]}
      clear={withQuery("/search", { q, type })}
    />
  );
}

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
  readonly filters: AddressFilters;
  readonly cursor: string | undefined;
}

async function Results({ q, type, filters, cursor }: ResultsProps) {
  const { t } = await getWords();
  const { author, topic: topicId, within } = filters;
  const [list, tags] = await Promise.all([
    readFound({ q, type, cursor, author, topicId, since: sinceOf(within) }),
    type || isFiltered(filters) ? null : readTags(tagOf(q)),
  ]);
  if (!list.ok) return <ErrorNote>{list.message}</ErrorNote>;
  const { topics, posts, comments, nextCursor } = list.value;
  const tagged = tags?.ok ? tags.value.tags : [];
  const total = topics.length + posts.length + comments.length;
  // One page does not tell how long the whole list is.
  const isWhole = type
    ? !nextCursor && !cursor
    : Math.max(topics.length, posts.length, comments.length) < FEW;
  const here = (next?: string) => withQuery("/search", { q, type, ...filters, cursor: next });
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
      <Section kind="topics" q={q} filters={filters} count={topics.length} isAlone={type === "topics"}>
        <div className="divide-y">
          {topics.map((topic) => (
            <TopicRow key={topic.id} topic={topic} />
          ))}
        </div>
      </Section>
      <Section kind="posts" q={q} filters={filters} count={posts.length} isAlone={type === "posts"}>
        <PostList posts={posts} />
      </Section>
      <Section kind="comments" q={q} filters={filters} count={comments.length} isAlone={type === "comments"}>
        <div className="divide-y">
          {comments.map((comment) => (
            <CommentHit key={comment.id} comment={comment} q={q} />
          ))}
        </div>
      </Section>
      {type ? <More href={here} cursor={cursor} next={nextCursor} /> : null}
      {type === "topics" || type === "comments" ? null : (
        <p className="pt-4 text-sm text-soft">
          <a href={withQuery("/search/feed.xml", { q, author, topic: topicId })} className="link reach">
            {t("search.feed")}
          </a>
          <span className="block pt-1 text-xs">{t("search.feedHint")}</span>
        </p>
      )}
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
  readonly filters: AddressFilters;
  readonly count: number;
  /** True where the search is for this kind only. */
  readonly isAlone: boolean;
  readonly children: ReactNode;
}

async function Section({ kind, q, filters, count, isAlone, children }: SectionProps) {
  const { t } = await getWords();
  if (count === 0) return null;
  return (
    <section aria-label={t(`search.${kind}`)} className="pt-4">
      {isAlone ? null : <p className="text-xs font-semibold text-soft">{t(`search.${kind}`)}</p>}
      {children}
      {count >= FEW && !isAlone ? (
        <Link href={withQuery("/search", { q, type: kind, ...filters })} className="link">
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
