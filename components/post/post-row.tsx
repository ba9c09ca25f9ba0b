"use client";

import Link from "next/link";
import { lazy, Suspense, useId } from "react";
import { useWords } from "#words";
import { ShownDomains } from "@/components/proof/shown-domains";
import { Title } from "@/components/text/title";
import { Automated } from "@/components/ui/automated";
import { Badge } from "@/components/ui/badge";
import { Avatar } from "@/components/ui/identicon";
import { LinkPending } from "@/components/ui/link-pending";
import { MemberLink } from "@/components/ui/member-name";
import { SpriteUse } from "@/components/ui/sprite-use";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Post } from "@/lib/contract";
import { compact } from "@/lib/i18n/time";
import { Bookmark } from "./bookmark";
import { Thumbnail } from "./own-pictures";
import { Vote } from "./vote";

type Always =
  | "id"
  | "topicId"
  | "topicTitle"
  | "title"
  | "summary"
  | "authorId"
  | "authorNickname"
  | "createdAt"
  | "tags"
  | "upvoteCount"
  | "commentCount";
type Sometimes =
  | "authorProfileImage"
  | "anonymous"
  | "authorDomains"
  | "automated"
  | "isPinned"
  | "isHidden"
  | "isFolded"
  | "recordCount"
  | "userVoted"
  | "userBookmarked";

/** What a row shows of a post. */
export type RowPost = Pick<Post, Always> & {
  readonly [K in Sometimes]?: Exclude<Post[K], null> | undefined;
} & {
  /** Its first picture. */
  readonly image?: string | undefined;
};

interface PostRowProps {
  readonly post: RowPost;
  readonly showTopic: boolean;
}

/** A post in a list: topic, author, title, summary and counts. */
function PostRow({ post, showTopic }: PostRowProps) {
  const words = useWords();
  const heading = useId();
  const about = { postId: post.id, topicId: post.topicId, title: post.title };
  return (
    <article className="row" aria-labelledby={heading}>
      <p className="row-byline">
        {post.isPinned ? (
          <span className="inline-flex items-center gap-1 font-medium text-ink">
            <SpriteUse icon="pin" className="size-3.5" />
            {words.t("post.pinned")}
          </span>
        ) : null}
        {post.isHidden ? <Badge tone="warning">{words.t("post.hidden")}</Badge> : null}
        {showTopic ? (
          <Link href={`/topics/${post.topicId}`} className="row-topic reach">
            <span>
              <Title of={post.topicTitle} />
            </span>
          </Link>
        ) : null}
        <span className="row-author">
          <Avatar userId={post.authorId} image={post.authorProfileImage} size="xs" />
          <MemberLink of={post.authorNickname} anonymous={post.anonymous} className="row-name" />
          {post.authorDomains ? (
            <ShownDomains
              of={post.authorDomains}
              by={{ nickname: post.authorNickname, topicId: post.topicId }}
            />
          ) : null}
        </span>
        {post.automated ? <Automated /> : null}
        <span aria-hidden="true">·</span>
        <TimeAgo at={post.createdAt} />
      </p>
      <div className="row-main">
        <div>
          <h2 id={heading} className="row-heading" dir="auto">
            <Link href={`/posts/${post.id}`} className="stretched">
              <Title of={post.title} />
              <LinkPending />
            </Link>
          </h2>
          {post.summary ? (
            <p className="row-summary" dir="auto">
              {post.summary}
            </p>
          ) : null}
        </div>
        {post.image ? <Thumbnail image={post.image} /> : null}
      </div>
      <div className="row-foot">
        <Vote {...about} count={post.upvoteCount} voted={post.userVoted ?? null} />
        <span className="row-fact">
          <SpriteUse icon="comments" />
          <span>
            {compact(words, post.commentCount)}
            <span className="sr-only">{` ${words.t("post.comments")}`}</span>
          </span>
        </span>
        {post.recordCount ? (
          <span className="row-fact">
            <SpriteUse icon="chain" />
            {words.t("post.records", { n: post.recordCount })}
          </span>
        ) : null}
        <span className="row-tags">
          {post.tags.map((tag) => (
            <Link
              key={tag.slug}
              href={`/search?tag=${encodeURIComponent(tag.slug)}`}
              prefetch={false}
              className="tap"
            >
              <span>{`#${tag.name}`}</span>
            </Link>
          ))}
        </span>
        <span className="-me-2">
          <Bookmark {...about} bookmarked={post.userBookmarked ?? false} />
        </span>
      </div>
    </article>
  );
}

/** Few readers block anyone; for the others it would be a part of the first load. */
const Foldable = lazy(async () => ({ default: (await import("@/components/block/folded")).Foldable }));

export interface PostRowsProps {
  readonly posts: readonly RowPost[];
  readonly showTopic: boolean;
}

/** The rows of a list of posts. */
export function PostRows({ posts, showTopic }: PostRowsProps) {
  const { t } = useWords();
  return (
    <div className="divide-y">
      {posts.map((post) =>
        post.isFolded ? (
          <Suspense key={post.id}>
            <Foldable authorId={post.authorId} isFolded label={t("post.foldedPost")}>
              <PostRow post={post} showTopic={showTopic} />
            </Foldable>
          </Suspense>
        ) : (
          <PostRow key={post.id} post={post} showTopic={showTopic} />
        ),
      )}
    </div>
  );
}
