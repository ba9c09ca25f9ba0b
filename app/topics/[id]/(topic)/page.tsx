import type { Metadata } from "next";
import Link from "next/link";
import { CrowdOffer } from "@/components/anonymous/crowd-offer";
import { AnonymousReplies, AnonymousWaiting, Crowd } from "@/components/anonymous/voices";
import { Pending } from "@/components/outbox/pending";
import { PostList } from "@/components/post/post-list";
import { MarkRead } from "@/components/reading/mark-read";
import { NewLine } from "@/components/reading/new-line";
import { NewNote } from "@/components/reading/new-note";
import { TopicInFull } from "@/components/topic/about";
import type { TopicView } from "@/components/topic/header";
import { Membership } from "@/components/topic/membership";
import { ButtonLink } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { EmptyState } from "@/components/ui/notes";
import type { Post } from "@/lib/contract";
import { getWords } from "@/lib/i18n/server";
import { topicHead } from "../../../_data/head";
import { offersCrowd, topicReading } from "../../../_data/me";
import { posts } from "../../../_data/reads";
import { type IdPageProps, single, withQuery } from "../../../_data/search-params";
import { staffOf } from "../../../_data/staff";
import { EndlessPosts } from "../../../_parts/endless-posts";
import { Streamed } from "../../../_parts/streamed";
import { withWords } from "../../../_parts/words";
import { Closed, openTopic } from "../_parts/open";
import { TopicPage } from "../_parts/topic-page";

export async function generateMetadata({ params }: IdPageProps): Promise<Metadata> {
  return topicHead((await params).id);
}

const sorts = ["hot", "new", "active", "top"] as const;
type Sort = (typeof sorts)[number];

/** A topic: its posts, or what it is about. */
async function TopicHome({ params, searchParams }: IdPageProps) {
  const view = await openTopic(params);
  if (!view) return <Closed />;
  const query = await searchParams;
  if (single(query.tab) === "about") {
    return (
      <TopicPage view={view} part="about">
        <About view={view} />
      </TopicPage>
    );
  }
  const sort = sorts.find((s) => s === single(query.sort)) ?? "hot";
  return (
    <TopicPage view={view} part="posts">
      {view.topic.anonymous !== "off" && view.topic.abilities.includes("write") ? (
        <>
          {(await offersCrowd(view.topic.id)) ? <CrowdOffer topicId={view.topic.id} /> : null}
          <Crowd topicId={view.topic.id} />
          <AnonymousWaiting topicId={view.topic.id} />
        </>
      ) : null}
      <Pending here={{ kind: "post", place: view.topic.id }} />
      <Streamed>
        <TopicPosts view={view} sort={sort} cursor={single(query.cursor)} />
      </Streamed>
    </TopicPage>
  );
}

export default withWords(
  ["anonymous", "chat", "composer", "membership", "report", "seal", "topicAlerts"],
  TopicHome,
);

async function About({ view }: { readonly view: TopicView }) {
  const { topic, currentUserRole: role } = view;
  const { id, title, visibility, requiresApproval, proofType } = topic;
  const staff = role && view.proof?.state !== "lapsed" ? await staffOf(id) : [];
  return (
    <>
      <TopicInFull topic={topic} isMember={role !== null} staff={staff} />
      {role ? (
        <Membership topic={{ id, title, visibility, requiresApproval, proofType }} role={role} />
      ) : null}
    </>
  );
}

interface PostsProps {
  readonly view: TopicView;
  readonly sort: Sort;
  readonly cursor: string | undefined;
}

async function TopicPosts({ view: { topic, currentUserRole: role, proof }, sort, cursor }: PostsProps) {
  const { t } = await getWords();
  const { id } = topic;
  // Before the list, so that everything up to its newest post is on the list.
  const isMember = role !== null && proof?.state !== "lapsed";
  const reading = isMember && !cursor ? await topicReading(id) : null;
  const list = await posts({ topicId: id, sort, cursor });
  // The header says what a member whose proof lapsed has to do.
  if (!list.ok && proof?.state === "lapsed") return null;
  if (!list.ok) return <EmptyState title={t("topic.closedTitle")}>{t("topic.closed")}</EmptyState>;
  const { posts: items, nextCursor } = list.value;
  if (items.length === 0) {
    return (
      <EmptyState
        title={t("topic.emptyTitle")}
        action={
          topic.abilities.includes("write") ? (
            <ButtonLink href={`/topics/${id}/new`}>{t("topic.write")}</ButtonLink>
          ) : null
        }
      >
        {role ? t("topic.emptyMember") : t("topic.emptyOutsider")}
      </EmptyState>
    );
  }
  const here = (next?: string) => withQuery(`/topics/${id}`, { sort, cursor: next });
  return (
    <div>
      <Sorts id={id} current={sort} />
      {reading?.posts.new ? <NewPosts topicId={id} sort={sort} count={reading.posts.new} /> : null}
      {isMember && topic.anonymous !== "off" ? (
        <AnonymousReplies posts={items.map(({ id, title, commentCount }) => ({ id, title, commentCount }))} />
      ) : null}
      <PostsWithLine posts={items} first={sort === "new" ? (reading?.posts.first ?? null) : null} />
      {reading?.posts.new && reading.posts.last ? (
        <MarkRead what={{ topicId: id, postId: reading.posts.last }} />
      ) : null}
      <EndlessPosts
        source={{ of: "topic", query: { topicId: id, sort } }}
        href={here}
        cursor={cursor}
        next={nextCursor}
      />
    </div>
  );
}

interface NewPostsProps {
  readonly topicId: string;
  readonly sort: Sort;
  readonly count: number;
}

/** Says how many posts are new, with a link to where they are on top. */
async function NewPosts({ topicId, sort, count }: NewPostsProps) {
  const { t } = await getWords();
  return (
    <NewNote text={t("unread.posts", { n: count })}>
      {sort === "new" ? null : (
        <Link href={`/topics/${topicId}?sort=new`} scroll={false} className="link">
          {t("unread.showPosts")}
        </Link>
      )}
    </NewNote>
  );
}

interface PostsWithLineProps {
  readonly posts: readonly Post[];
  /** The oldest new post; null for no line. */
  readonly first: string | null;
}

/** Posts, newest first, with a line below those that are new. Pinned ones are above, whatever their age. */
function PostsWithLine({ posts, first }: PostsWithLineProps) {
  const end = posts.findIndex(({ id }) => id === first) + 1;
  if (end === 0 || end === posts.length) return <PostList posts={posts} showTopic={false} />;
  return (
    <>
      <PostList posts={posts.slice(0, end)} showTopic={false} />
      <NewLine above />
      <PostList posts={posts.slice(end)} showTopic={false} />
    </>
  );
}

async function Sorts({ id, current }: { readonly id: string; readonly current: Sort }) {
  const { t } = await getWords();
  return (
    <nav aria-label={t("feed.sort")}>
      <ul className="scrollbar-none -mx-2 flex gap-1 overflow-x-auto">
        {sorts.map((sort) => (
          <li key={sort}>
            <Link
              href={sort === "hot" ? `/topics/${id}` : `/topics/${id}?sort=${sort}`}
              scroll={false}
              aria-current={sort === current ? "true" : undefined}
              className={cx(
                "ease tap inline-flex h-8 items-center rounded-control px-2 text-sm",
                sort === current ? "font-medium text-ink" : "text-soft hover:text-ink",
              )}
            >
              {t(`feed.${sort}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
