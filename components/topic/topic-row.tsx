import Link from "next/link";
import { useWords } from "#words";
import { type GateTerms, gateSentence, sealKind, sealStatement } from "@/components/proof/gate-words";
import { SealMark } from "@/components/proof/seal-mark";
import { countText } from "@/components/reading/counts";
import { Title } from "@/components/text/title";
import { Badge } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { LinkPending } from "@/components/ui/link-pending";
import { TimeAgo } from "@/components/ui/time-ago";
import type { Topic, TopicListItem } from "@/lib/contract";
import { initialOf } from "./initial";
import { opennessOf } from "./openness";

/** A short label of what a topic requires; nothing for an open one. */
export function GateChip({ topic }: { readonly topic: GateTerms }) {
  const words = useWords();
  if (topic.proofType === "none") return null;
  return (
    <span
      className="inline-flex min-w-0 items-center gap-1.5 text-sm font-medium"
      title={gateSentence(words, topic)}
    >
      <SealMark kind={sealKind(topic.proofType)} />
      <span className="truncate">{sealStatement(words, topic)}</span>
    </span>
  );
}

/** A topic in a list. @param count how much is new in it to the reader */
export function TopicRow({ topic, count = 0 }: { readonly topic: TopicListItem; readonly count?: number }) {
  const words = useWords();
  return (
    <article className="group relative flex gap-4 py-4" aria-labelledby={`topic-${topic.id}`}>
      <TopicPicture topic={topic} />
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2
            id={`topic-${topic.id}`}
            className="min-w-0 font-serif text-lg leading-snug font-semibold"
            dir="auto"
          >
            <Link
              href={`/topics/${topic.id}`}
              className="stretched decoration-1 underline-offset-4 group-hover:underline"
            >
              <Title of={topic.title} />
              <LinkPending />
            </Link>
          </h2>
          <GateChip topic={topic} />
          {topic.visibility === "public" ? null : (
            <Badge>{words.t(`topic.visibilities.${opennessOf(topic)}`)}</Badge>
          )}
          {topic.isMember ? (
            <Badge tone="good">{words.t(`topic.${topic.currentUserRole ?? "member"}`)}</Badge>
          ) : null}
          {count > 0 ? <Badge>{words.t("unread.badge", { count: countText(count) })}</Badge> : null}
        </div>
        {topic.description ? (
          <p className="line-clamp-2 max-w-[68ch] text-soft" dir="auto">
            {topic.description}
          </p>
        ) : null}
        <p className="flex flex-wrap gap-x-2 text-sm text-soft">
          <span>{words.t("common.members", { n: topic.memberCount })}</span>
          <span aria-hidden="true">·</span>
          <span>{words.t("common.posts", { n: topic.postCount })}</span>
          <span aria-hidden="true">·</span>
          <span>
            {words.t("topics.active")} <TimeAgo at={topic.lastActivityAt} />
          </span>
        </p>
      </div>
    </article>
  );
}

/** A short list of topics, for the right column. */
export function TopicShortList({ topics }: { readonly topics: readonly TopicListItem[] }) {
  const words = useWords();
  return (
    <ul className="grid gap-3">
      {topics.map((topic) => (
        <li key={topic.id} className="grid gap-0.5">
          <Link href={`/topics/${topic.id}`} className="font-medium hover:underline" dir="auto">
            <Title of={topic.title} />
          </Link>
          <span className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
            {words.t("common.members", { n: topic.memberCount })}
            <GateChip topic={topic} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const sizes = { md: "size-10 text-base", lg: "size-16 text-2xl" } as const;

export interface TopicPictureProps {
  readonly topic: Pick<Topic, "image" | "title">;
  readonly size?: keyof typeof sizes;
}

/** A topic's picture, or its initial. Always beside the name, so it has no alternative text. */
export function TopicPicture({ topic, size = "md" }: TopicPictureProps) {
  const shape = cx(
    "mt-0.5 inline-flex shrink-0 items-center justify-center rounded-full bg-wash font-serif font-semibold text-soft",
    sizes[size],
  );
  if (!topic.image) {
    return (
      <span aria-hidden="true" className={shape}>
        {initialOf(topic.title)}
      </span>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: next/image writes inline styles, which the CSP refuses
    <img src={topic.image} alt="" loading="lazy" className={cx(shape, "border object-cover")} />
  );
}
