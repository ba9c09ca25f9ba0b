import { ownPaths } from "@/components/me/links";
import { EmptyState } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../../_data/head";
import { recordedPosts } from "../../_data/me";
import { type SearchParams, single, withQuery } from "../../_data/search-params";
import { OwnListPage } from "../../_parts/own-posts";
import { withWords } from "../../_parts/words";

export const generateMetadata = pageHead((t) => t("record.lists"));

const path = ownPaths.records;

/** Posts the visitor recorded, and posts of theirs that others recorded. */
async function MyRecords({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const query = await searchParams;
  const ofMine = single(query.of) === "my-posts";
  const cursor = single(query.cursor);
  return (
    <OwnListPage
      current="records"
      title={t("record.lists")}
      list={await recordedPosts(ofMine ? "onMine" : "mine", { cursor })}
      cursor={cursor}
      href={(next) => withQuery(path, { of: ofMine ? "my-posts" : undefined, cursor: next })}
      empty={
        <EmptyState title={t("record.emptyTitle")}>
          {ofMine ? t("record.onMineEmpty") : t("record.mineEmpty")}
        </EmptyState>
      }
    >
      <div className="pt-4">
        <Pills
          label={t("record.listsTabs")}
          pills={[
            { href: path, label: t("record.mine"), current: !ofMine },
            { href: `${path}?of=my-posts`, label: t("record.onMine"), current: ofMine },
          ]}
        />
      </div>
    </OwnListPage>
  );
}

export default withWords(["picture", "profile", "seal"], MyRecords);
