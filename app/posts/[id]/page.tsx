import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { useWords } from "#words";
import { Check } from "@/components/anonymous/check";
import { Foldable } from "@/components/block/folded";
import { Bookmark } from "@/components/post/bookmark";
import { Comments } from "@/components/post/comments";
import { LinkPreviews } from "@/components/post/link-preview";
import { PostMedia } from "@/components/post/media";
import { Poll } from "@/components/post/poll";
import { PostBody } from "@/components/post/post-body";
import { PostTools } from "@/components/post/post-tools";
import { ReactionBar } from "@/components/post/reactions";
import { Share } from "@/components/post/share";
import { ShownContentProvider } from "@/components/post/shown-content";
import { ThreadAlerts } from "@/components/post/thread-alerts";
import { Vote } from "@/components/post/vote";
import { ShownDomains } from "@/components/proof/shown-domains";
import { MarkRead } from "@/components/reading/mark-read";
import { recordOffer } from "@/components/record/record";
import { Records } from "@/components/record/records";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { Title } from "@/components/text/title";
import { TopicAbout } from "@/components/topic/about";
import { audienceOf } from "@/components/topic/audience";
import { MuteNote } from "@/components/topic/mute-note";
import { ProofNote } from "@/components/topic/proof-note";
import { TopicGate } from "@/components/topic/topic-gate";
import { Automated } from "@/components/ui/automated";
import { ButtonLink } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import { MemberLink } from "@/components/ui/member-name";
import { EmptyState, Note } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { TimeAgo } from "@/components/ui/time-ago";
import type { contract, ResponseBody } from "@/lib/contract";
import { type CommentSort, commentSorts } from "@/lib/contract/comments";
import { uuid } from "@/lib/contract/common";
import { getWords } from "@/lib/i18n/server";
import { type CommentsPlace, postHead } from "../../_data/head";
import { shownDomains, threadReading } from "../../_data/me";
import { cardLinks, withProxiedPictures } from "../../_data/post-content";
import {
  config,
  post as readPost,
  records as readRecords,
  topic as readTopic,
  viewer,
} from "../../_data/reads";
import { standingAt } from "../../_data/seals";
import { type IdPageProps, isId, type SearchParams, single, withQuery } from "../../_data/search-params";
import { withWords } from "../../_parts/words";

export async function generateMetadata({ params, searchParams }: IdPageProps): Promise<Metadata> {
  return postHead((await params).id, commentsPlace(await searchParams));
}

/** Reads which comments to show. A malformed comment id counts as absent. */
function commentsPlace({ cursor, comment, sort }: Awaited<SearchParams>): CommentsPlace {
  const linked = uuid.safeParse(comment).data;
  // A page with a linked comment is oldest first.
  const order = linked ? "old" : (commentSorts.find((one) => one === single(sort)) ?? "old");
  return { cursor: single(cursor), comment: linked, sort: order };
}

/** One post and its comments. */
async function PostPage({ params, searchParams }: IdPageProps) {
  const words = await getWords();
  const { id } = await params;
  if (!isId(id)) notFound();
  const { cursor, comment, sort } = commentsPlace(await searchParams);
  // Before the comments, so that everything up to the newest is among them.
  const asOf = new Date().toISOString();
  const reading = await threadReading(id);
  const [found, settings, who] = await Promise.all([readPost(id, cursor, comment, sort), config(), viewer()]);
  if (!found.ok) {
    if (found.code !== "not_a_member" && found.code !== "reprove_required") notFound();
    return <MembersOnly />;
  }
  const { post, comments, nextCursor, pageCursor } = found.value;
  const [topic, records, links, shown] = await Promise.all([
    readTopic(post.topicId),
    post.isDeleted ? null : readRecords(post.id),
    cardLinks(post.content),
    withProxiedPictures(post.content),
  ]);
  const role = topic.ok ? topic.value.currentUserRole : null;
  const muted = topic.ok ? topic.value.muted : null;
  const proof = topic.ok ? topic.value.proof : null;
  const mayWrite = post.abilities.includes("write");
  const isMine = who !== null && post.authorId === who.userId;
  const audience =
    topic.ok && who && mayWrite
      ? audienceOf(words, topic.value.topic, {
          nickname: who.nickname,
          domains: await shownDomains(post.topicId),
        })
      : "";
  const access = mayWrite
    ? "open"
    : !who
      ? "guest"
      : role === null || proof?.state === "lapsed"
        ? "outsider"
        : muted
          ? "muted"
          : "resting";
  const record =
    records?.ok && post.abilities.includes("record") ? recordOffer(post.createdAt, records.value) : null;
  const edited = post.updatedAt !== post.createdAt;
  const about = { postId: post.id, topicId: post.topicId, title: post.title };
  return (
    <Page
      title={post.topicTitle}
      back={`/topics/${post.topicId}`}
      ownHeading
      aside={
        topic.ok ? (
          <>
            {role && topic.value.topic.proofType === "none" ? null : (
              <TopicGate
                view={topic.value}
                standing={await standingAt(topic.value.topic)}
                config={settings}
                shownDomains={await shownDomains(post.topicId)}
              />
            )}
            <TopicAbout topic={topic.value.topic} isMember={role !== null} />
          </>
        ) : null
      }
    >
      <ShownContentProvider content={{ html: post.content, shown }}>
        <article className="grid gap-4">
          <p className="hidden text-sm md:block">
            <Link href={`/topics/${post.topicId}`} className="link" dir="auto">
              <Title of={post.topicTitle} />
            </Link>
          </p>
          <h1 className="font-serif text-3xl font-semibold md:text-4xl" dir="auto">
            {post.title ? (
              <Title of={post.title} />
            ) : (
              words.t(post.isHidden ? "moderate.hiddenPostTitle" : "post.withdrawn")
            )}
          </h1>
          <div className="flex items-start gap-2">
            <p className="flex min-h-9 flex-1 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
              <Avatar userId={post.authorId} image={post.authorProfileImage} size="sm" />
              <MemberLink
                of={post.authorNickname}
                anonymous={post.anonymous}
                className="font-medium text-ink"
              />
              <ShownDomains
                of={post.authorDomains}
                by={{ nickname: post.authorNickname, topicId: post.topicId }}
              />
              {post.automated ? <Automated /> : null}
              <span aria-hidden="true">·</span>
              <TimeAgo at={post.createdAt} />
              {edited && !post.isDeleted ? <span>({words.t("post.edited")})</span> : null}
              <span aria-hidden="true">·</span>
              <span>{words.t("post.views", { n: post.viewCount })}</span>
            </p>
            {reading && !post.isDeleted ? <ThreadAlerts postId={post.id} level={reading.level} /> : null}
            <PostTools post={post} isMine={isMine} isSignedIn={who !== null} record={record} />
          </div>
          {post.automated ? <p className="text-sm text-soft">{words.t("common.automatedBy")}</p> : null}
          {post.isHidden && !post.isDeleted ? (
            <Note tone="warning" title={words.t("moderate.hiddenPostTitle")}>
              {words.t(
                `moderate.hiddenPost${post.abilities.includes("hide") ? "Staff" : isMine ? "Author" : "Other"}`,
              )}
            </Note>
          ) : null}
          <Foldable
            authorId={post.authorId}
            isFolded={post.isFolded}
            mayFold={!post.isDeleted && !post.abilities.includes("hide")}
            label={words.t("post.foldedPost")}
            className="grid gap-4"
          >
            {post.isDeleted ? (
              <Note>{words.t("post.deleted")}</Note>
            ) : (
              <PostBody names={post.mentions.map(({ nickname }) => nickname)} />
            )}
            {post.anonymous && !post.isDeleted && !post.isHidden ? (
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                <Check postId={post.id} />
                <Link
                  href={`/letters/${post.id}`}
                  prefetch={false}
                  className="link tap inline-flex items-center text-sm"
                >
                  {words.t("anonymous.letter.open")}
                </Link>
              </div>
            ) : null}
            <LinkPreviews links={links} />
            <PostMedia media={post.media} />
            {post.poll ? <Poll poll={post.poll} topicId={post.topicId} access={access} /> : null}
          </Foldable>
          {post.tags.length > 0 ? (
            <ul
              aria-label={words.t("post.tags")}
              className="flex flex-wrap gap-x-3 gap-y-1 text-sm text-soft"
            >
              {post.tags.map((tag) => (
                <li key={tag.slug}>
                  <Link
                    href={`/search?tag=${encodeURIComponent(tag.slug)}`}
                    prefetch={false}
                    className="tap inline-flex items-center hover:text-ink hover:underline"
                  >
                    #{tag.name}
                  </Link>
                </li>
              ))}
            </ul>
          ) : null}
          <div className="flex flex-wrap items-center gap-2 border-y py-2">
            {post.isDeleted ? null : (
              <>
                <Vote {...about} count={post.upvoteCount} voted={post.userVoted} />
                <Bookmark {...about} bookmarked={post.userBookmarked} labelled />
              </>
            )}
            <Share path={`/posts/${post.id}`} title={post.title} />
            {post.isDeleted ? null : (
              <span className="basis-full sm:basis-auto sm:ms-auto">
                <ReactionBar postId={post.id} topicId={post.topicId} reactions={post.reactions} />
              </span>
            )}
          </div>
        </article>
        {records?.ok ? <Records postId={post.id} list={records.value} isOwn={isMine} /> : null}
      </ShownContentProvider>
      <Comments
        key={`${sort} ${pageCursor}`}
        postId={post.id}
        topicId={post.topicId}
        comments={comments}
        total={post.commentCount}
        isMiddle={pageCursor !== null}
        asOf={asOf}
        isLastPage={sort === "old" ? nextCursor === null : pageCursor === null}
        marks={reading !== null && !post.isDeleted}
        sort={sort}
        order={post.commentCount > 1 ? <Order postId={id} sort={sort} /> : null}
        start={orderHref(id, sort)}
        canWrite={mayWrite}
        audience={audience}
        fresh={reading?.new ? { count: reading.new, first: reading.first } : null}
        me={who?.userId ?? null}
        nickname={who?.nickname ?? ""}
        mayBeNameless={mayWrite && topic.ok && topic.value.topic.anonymous !== "off"}
        namelessPost={
          post.anonymous && !post.isDeleted
            ? { title: post.title, pseudonym: post.anonymous.pseudonym }
            : null
        }
        otherwise={
          proof?.state === "lapsed" ? (
            <ProofNote topicId={post.topicId} proof={proof} />
          ) : muted ? (
            <MuteNote reason={muted.reason} until={muted.until} />
          ) : post.isDeleted || role ? null : (
            <HowToComment guest={!who} topicId={post.topicId} />
          )
        }
      />
      {/* Who follows a link to one comment has not read those before it. */}
      {reading && !post.isDeleted && !comment && (reading.new > 0 || reading.readAt === null) ? (
        <MarkRead what={{ threadOf: post.id, commentId: lastRead(found.value, sort, reading.last) }} />
      ) : null}
      <More href={(next) => orderHref(id, sort, next)} cursor={pageCursor} next={nextCursor} />
    </Page>
  );
}

export default withWords(
  [
    "anonymous",
    "comment",
    "composer",
    "gallery",
    "membership",
    "mention",
    "moderate",
    "own",
    "poll",
    "reaction",
    "reason",
    "record",
    "report",
    "seal",
    "share",
    "threadAlerts",
    "unread",
    "video",
  ],
  PostPage,
);

function orderHref(postId: string, sort: CommentSort, cursor?: string): string {
  return withQuery(`/posts/${postId}`, { cursor, sort: sort === "old" ? undefined : sort });
}

/** Links to the orders of a post's comments. */
function Order({ postId, sort }: { readonly postId: string; readonly sort: CommentSort }) {
  const { t } = useWords();
  return (
    <Pills
      label={t("comment.sort")}
      pills={commentSorts.map((one) => ({
        href: orderHref(postId, one),
        label: t(`comment.sorts.${one}`),
        current: one === sort,
      }))}
    />
  );
}

/**
 * Returns up to which comment the reader of a page has read; null for none.
 * @param last the newest of the post
 */
function lastRead(
  { comments, nextCursor, pageCursor }: ResponseBody<typeof contract.posts.get>,
  sort: CommentSort,
  last: string | null,
): string | null {
  const isWhole = nextCursor === null && pageCursor === null;
  if (isWhole || (sort === "new" && pageCursor === null) || (sort === "old" && nextCursor === null))
    return last;
  return sort === "old" ? (comments.at(-1)?.id ?? null) : null;
}

function HowToComment({ guest, topicId }: { readonly guest: boolean; readonly topicId: string }) {
  const { t } = useWords();
  return (
    <Note
      action={
        <ButtonLink href={`/topics/${topicId}/join`} size="sm">
          {guest ? t("nav.signIn") : t("common.joinTopic")}
        </ButtonLink>
      }
    >
      {guest ? t("post.signInToComment") : t("post.joinToComment")}
    </Note>
  );
}

function MembersOnly() {
  const { t } = useWords();
  return (
    <Page title={t("problems.memberOnlyTitle")} back="/topics" ownHeading>
      <EmptyState
        title={t("problems.memberOnlyTitle")}
        action={<ButtonLink href="/topics">{t("problems.explore")}</ButtonLink>}
      >
        {t("problems.memberOnly")}
      </EmptyState>
    </Page>
  );
}
