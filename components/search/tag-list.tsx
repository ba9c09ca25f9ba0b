import Link from "next/link";
import { useWords } from "#words";
import type { Tag } from "@/lib/contract/tags";
import { compact } from "@/lib/i18n/time";

/** Tags with how often they are used; each leads to its posts. */
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
