import { More } from "@/components/shell/more";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { feed } from "../../_data/reads";
import { withQuery } from "../../_data/search-params";
import { Posts } from "../../_parts/posts";

export interface TagPostsProps {
  /** Slug of the tag. */
  readonly tag: string;
  readonly cursor: string | undefined;
}

/** Posts with a tag, latest first. */
export async function TagPosts({ tag, cursor }: TagPostsProps) {
  const { t } = await getWords();
  const list = await feed({ tag, sort: "new", cursor });
  const here = (next?: string) => withQuery("/search", { tag, cursor: next });
  return (
    <section aria-labelledby="tag">
      <h2 id="tag" className="font-serif text-xl font-semibold" dir="auto">
        {t("search.tagTitle", { tag })}
      </h2>
      <Posts
        list={list}
        empty={<EmptyState title={t("search.tagEmptyTitle")}>{t("search.tagEmpty")}</EmptyState>}
      />
      {list.ok ? (
        <More next={list.value.nextCursor && here(list.value.nextCursor)} first={cursor ? here() : null} />
      ) : null}
    </section>
  );
}
