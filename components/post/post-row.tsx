"use client";

import Link from "next/link";
import { useWords } from "#words";
import { ShownDomains } from "@/components/proof/shown-domains";
import { Title } from "@/components/text/title";
import { Avatar } from "@/components/ui/identicon";
import { LinkPending } from "@/components/ui/link-pending";
import { MemberName } from "@/components/ui/member-name";
import { Badge } from "@/components/ui/notes";
import { SpriteUse } from "@/components/ui/sprite-use";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Post } from "@/lib/contract";
import { compact } from "@/lib/i18n/time";
import { Bookmark } from "./bookmark";
import { Thumbnail } from "./own-pictures";
import { Vote } from "./vote";

/** What a row shows of a post. */
export type RowPost = Pick<
  Post,
  | "id"
  | "topicId"
  | "topicTitle"
  | "title"
  | "summary"
  | "authorId"
  | "authorNickname"
  | "authorProfileImage"
  | "authorDomains"
  | "createdAt"
  | "isPinned"
  | "isHidden"
  | "tags"
  | "upvoteCount"
  | "commentCount"
  | "recordCount"
  | "userVoted"
  | "userBookmarked"
> & {
  /** Its first picture. */
  readonly image: string | null;
};

interface PostRowProps {
  readonly post: RowPost;
  readonly showTopic: boolean;
}

/** A post in a list: topic, author, title, summary and counts. */
function PostRow({ post, showTopic }: PostRowProps) {
  const words = useWords();
  const about = { postId: post.id, topicId: post.topicId, title: post.title };
  return (
    <article className="group relative grid gap-2 py-5" aria-labelledby={`post-${post.id}`}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
        {post.isPinned ? (
          <span className="inline-flex items-center gap-1 font-medium text-ink">
            <SpriteUse icon="pin" className="size-3.5" />
            {words.t("post.pinned")}
          </span>
        ) : null}
        {post.isHidden ? <Badge tone="warning">{words.t("post.hidden")}</Badge> : null}
        {showTopic ? (
          <Link
            href={`/topics/${post.topicId}`}
            className="reach relative z-10 max-w-[28ch] font-medium text-ink hover:underline"
          >
            <span className="block truncate">
              <Title of={post.topicTitle} />
            </span>
          </Link>
        ) : null}
        <span className="inline-flex items-center gap-1.5">
          <Avatar userId={post.authorId} image={post.authorProfileImage} size="xs" />
          <MemberName of={post.authorNickname} className="max-w-[24ch] truncate" />
          <ShownDomains of={post.authorDomains} />
        </span>
        <span aria-hidden="true">·</span>
        <TimeAgo at={post.createdAt} />
      </p>
      <div className="flex gap-4">
        <div className="grid min-w-0 flex-1 gap-1.5">
          <h2 id={`post-${post.id}`} className="font-serif text-xl font-semibold" dir="auto">
            <Link
              href={`/posts/${post.id}`}
              className="stretched decoration-1 underline-offset-4 group-hover:underline"
            >
              <Title of={post.title} />
              <LinkPending />
            </Link>
          </h2>
          {post.summary ? (
            <p className="line-clamp-3 max-w-[68ch] text-soft" dir="auto">
              {post.summary}
            </p>
          ) : null}
        </div>
        {post.image ? <Thumbnail image={post.image} /> : null}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Vote {...about} count={post.upvoteCount} voted={post.userVoted} />
        <span className="inline-flex items-center gap-1.5 text-sm text-soft">
          <SpriteUse icon="comments" />
          <span>
            {compact(words, post.commentCount)}
            <span className="sr-only"> {words.t("post.comments")}</span>
          </span>
        </span>
        {post.recordCount > 0 ? (
          <span className="inline-flex items-center gap-1.5 text-sm text-soft">
            <SpriteUse icon="chain" />
            {words.t("post.records", { n: post.recordCount })}
          </span>
        ) : null}
        <span className="flex h-5 pointer-coarse:h-11 min-w-0 flex-1 basis-0 flex-wrap gap-x-4 overflow-hidden">
          {post.tags.map((tag) => (
            <Link
              key={tag.slug}
              href={`/search?tag=${encodeURIComponent(tag.slug)}`}
              prefetch={false}
              className="tap relative z-10 inline-flex max-w-full items-center text-sm text-soft hover:text-ink hover:underline"
            >
              <span className="truncate">#{tag.name}</span>
            </Link>
          ))}
        </span>
        <span className="-me-2">
          <Bookmark {...about} bookmarked={post.userBookmarked} />
        </span>
      </div>
    </article>
  );
}

export interface PostRowsProps {
  readonly posts: readonly RowPost[];
  readonly showTopic: boolean;
}

/** The rows of a list of posts. */
export function PostRows({ posts, showTopic }: PostRowsProps) {
  return (
    <div className="divide-y">
      {posts.map((post) => (
        <PostRow key={post.id} post={post} showTopic={showTopic} />
      ))}
    </div>
  );
}
