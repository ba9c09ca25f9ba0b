import Link from "next/link";
import { useWords } from "#words";
import { Foldable } from "@/components/block/folded";
import { ShownDomains } from "@/components/proof/shown-domains";
import { plainMarkdown } from "@/components/text/markdown";
import { Automated } from "@/components/ui/automated";
import { Avatar } from "@/components/ui/identicon";
import { LinkPending } from "@/components/ui/link-pending";
import { MemberLink } from "@/components/ui/member-name";
import { TimeAgo } from "@/components/ui/time-ago";
import { commentPlace } from "@/lib/client/places";
import type { FoundComment } from "@/lib/contract/comments";
import type { Tag } from "@/lib/contract/search";
import { compact } from "@/lib/i18n/time";
import { marked } from "./marked";

/** A comment in search results, with its post. */
export function CommentHit({ comment, q }: { readonly comment: FoundComment; readonly q: string }) {
  const { t } = useWords();
  // Staff see it unfolded: `isFolded` says so.
  if (!comment.isFolded || comment.authorId === null) return <ShownComment comment={comment} q={q} />;
  return (
    <Foldable authorId={comment.authorId} isFolded label={t("post.foldedComment")} className="py-2">
      <ShownComment comment={comment} q={q} />
    </Foldable>
  );
}

function ShownComment({ comment, q }: { readonly comment: FoundComment; readonly q: string }) {
  const { t } = useWords();
  return (
    <article className="group relative grid gap-1.5 py-4" aria-labelledby={`hit-${comment.id}`}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
        <Avatar userId={comment.authorId} image={comment.authorProfileImage} size="xs" />
        {comment.authorNickname === null ? null : (
          <>
            <MemberLink
              of={comment.authorNickname}
              anonymous={comment.anonymous}
              className="font-medium text-ink"
            />
            <ShownDomains
              of={comment.authorDomains}
              by={{ nickname: comment.authorNickname, topicId: comment.topicId }}
            />
          </>
        )}
        {comment.automated ? <Automated /> : null}
        <TimeAgo at={comment.createdAt} />
      </p>
      <p className="line-clamp-3 max-w-[68ch] whitespace-pre-wrap" dir="auto">
        {marked(plainMarkdown(comment.content), q).map(({ at, text, isMatch }) =>
          isMatch ? (
            <mark key={at} className="rounded-sm bg-amber-wash text-inherit">
              {text}
            </mark>
          ) : (
            <span key={at}>{text}</span>
          ),
        )}
      </p>
      <h3 id={`hit-${comment.id}`} className="text-sm font-normal text-soft">
        {t("search.commentOn")}{" "}
        <Link
          href={commentPlace(comment.postId, comment.id)}
          className="stretched font-medium text-ink group-hover:underline"
          dir="auto"
        >
          {comment.postTitle || t("post.withdrawn")}
          <LinkPending />
        </Link>
      </h3>
    </article>
  );
}

/** Tags with their number of posts; each links to its posts. */
export function TagList({ tags, label }: { readonly tags: readonly Tag[]; readonly label: string }) {
  const words = useWords();
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {tags.map((tag) => (
        <li key={tag.id}>
          <Link
            href={`/search?tag=${encodeURIComponent(tag.slug)}`}
            prefetch={false}
            className="ease tap inline-flex h-8 items-center gap-1.5 rounded-full border bg-sheet px-3 text-sm hover:border-line-strong"
          >
            <span dir="auto">#{tag.name}</span>
            <span aria-hidden="true" className="text-soft">
              {compact(words, tag.postCount)}
            </span>
            <span className="sr-only">{words.t("common.posts", { n: tag.postCount })}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
