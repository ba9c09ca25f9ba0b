import Link from "next/link";
import { useWords } from "#words";
import { Title } from "@/components/text/title";
import type { TopicListItem } from "@/lib/contract";
import type { TopicCounts } from "@/lib/contract/reading";
import { unreadOfTopic } from "./counts";

/** Topics that have room above a feed. */
const SHOWN = 5;

export interface AwayProps {
  /** The reader's topics, those active last first. */
  readonly topics: readonly TopicListItem[];
  readonly counts: ReadonlyMap<string, TopicCounts>;
}

/** What is new in the reader's topics since they were there. Every number leads to the first of what it counts. */
export function Away({ topics, counts }: AwayProps) {
  const { t } = useWords();
  const fresh = topics.flatMap((topic) => {
    const count = counts.get(topic.id);
    return count && unreadOfTopic(count) > 0 ? [{ topic, count }] : [];
  });
  if (fresh.length === 0) return null;
  return (
    <section aria-labelledby="away" className="grid gap-2 rounded-sheet border bg-sheet p-4">
      <h2 id="away" className="font-serif text-xl font-semibold">
        {t("away.title")}
      </h2>
      <ul className="divide-y">
        {fresh.slice(0, SHOWN).map(({ topic, count }, row) => (
          <li key={topic.id} className="away-row">
            <Link href={`/topics/${topic.id}`} prefetch={false} className="tap away-topic" dir="auto">
              <span className="truncate">
                <Title of={topic.title} />
              </span>
            </Link>
            <span className="away-new">
              {newIn(topic.id, count).map(({ what, n, href }, place) => (
                <Link
                  key={what}
                  href={href}
                  // The first is what most readers go to: it is there when they press, and nothing else delays it.
                  prefetch={row === 0 && place === 0}
                  className="link tap away-link"
                >
                  {t(`away.${what}`, { n })}
                  <span className="sr-only">{` ${t("away.in", { topic: topic.title })}`}</span>
                </Link>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {fresh.length > SHOWN ? (
        <Link href="/topics?view=my" className="link tap w-fit text-sm">
          {t("away.more", { n: fresh.length - SHOWN })}
        </Link>
      ) : null}
    </section>
  );
}

function newIn(topicId: string, { posts, chat, threads }: TopicCounts) {
  const place = `/topics/${topicId}`;
  const all = [
    { what: "posts", n: posts, href: `${place}?sort=new` },
    { what: "threads", n: threads, href: `${place}?sort=active` },
    { what: "chat", n: chat, href: `${place}/chat` },
  ] as const;
  return all.filter(({ n }) => n > 0);
}
