import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { OwnTabs, ownPaths } from "@/components/me/own-tabs";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { EmptyState } from "@/components/ui/notes";
import { Pills } from "@/components/ui/pills";
import { getWords } from "@/lib/i18n/server";
import { recordedPosts } from "../../_data/reads";
import { type SearchParams, single, withQuery } from "../../_data/search-params";
import { MyTopicsAside } from "../../_parts/my-topics-aside";
import { Posts } from "../../_parts/posts";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("record.lists"), robots: { index: false } };
}

const path = ownPaths.records;

/** Posts the visitor recorded, and posts of theirs that others did. */
export default async function MyRecords({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const query = await searchParams;
  const ofMine = single(query.of) === "my-posts";
  const cursor = single(query.cursor);
  const list = await recordedPosts(ofMine ? "onMine" : "mine", { cursor });
  if (!list) redirect(withQuery("/sign-in", { next: path }));
  const here = (next?: string) => withQuery(path, { of: ofMine ? "my-posts" : undefined, cursor: next });
  return (
    <Page title={t("record.lists")} back="/profile" aside={<MyTopicsAside />}>
      <div>
        <OwnTabs current="records" />
        <div className="pt-4">
          <Pills
            label={t("record.listsTabs")}
            pills={[
              { href: path, label: t("record.mine"), current: !ofMine },
              { href: `${path}?of=my-posts`, label: t("record.onMine"), current: ofMine },
            ]}
          />
        </div>
        <Posts
          list={list}
          empty={
            <EmptyState title={t("record.emptyTitle")}>
              {ofMine ? t("record.onMineEmpty") : t("record.mineEmpty")}
            </EmptyState>
          }
        />
      </div>
      {list.ok ? (
        <More next={list.value.nextCursor && here(list.value.nextCursor)} first={cursor ? here() : null} />
      ) : null}
    </Page>
  );
}
