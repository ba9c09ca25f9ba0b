import Link from "next/link";
import type { ReactNode } from "react";
import { PostList } from "@/components/post/post-row";
import { CommentHit } from "@/components/search/comment-hit";
import { TagList } from "@/components/search/tag-list";
import { More } from "@/components/shell/more";
import { TopicRow } from "@/components/topic/topic-row";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState, ErrorNote } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { found as readFound, tags as readTags } from "../../_data/search";
import { withQuery } from "../../_data/search-params";

type Kind = "topics" | "posts" | "comments";

/** Of each kind, where all are shown together; one more there means that there is a list of its own. */
const few = 5;

export interface ResultsProps {
  readonly q: string;
  /** One kind as a list with pages; all kinds in short where absent. */
  readonly type: Kind | undefined;
  readonly cursor: string | undefined;
}

/** What the words of a search occur in. */
export async function Results({ q, type, cursor }: ResultsProps) {
  const { t } = await getWords();
  const [list, tags] = await Promise.all([readFound({ q, type, cursor }), type ? null : readTags(tagOf(q))]);
  if (!list.ok) return <ErrorNote>{list.message}</ErrorNote>;
  const { topics, posts, comments, nextCursor } = list.value;
  const tagged = tags?.ok ? tags.value.tags : [];
  const total = topics.length + posts.length + comments.length;
  // A page of a longer list says nothing about how long it is.
  const isWhole = type
    ? !nextCursor && !cursor
    : Math.max(topics.length, posts.length, comments.length) < few;
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
      {type ? <More next={nextCursor && here(nextCursor)} first={cursor ? here() : null} /> : null}
    </>
  );
}

/** The last word as a tag may begin: tags have one word. */
function tagOf(q: string): string {
  return (q.split(/\s+/).at(-1) ?? "").replace(/^#/, "").toLowerCase();
}

const moreWords = { topics: "moreTopics", posts: "morePosts", comments: "moreComments" } as const;

interface SectionProps {
  readonly kind: Kind;
  readonly q: string;
  readonly count: number;
  /** True where only this kind was asked for. */
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
      {count >= few && !isAlone ? (
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
