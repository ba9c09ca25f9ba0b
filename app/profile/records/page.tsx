import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { EmptyState } from "@/components/ui/notes";
import { Tabs } from "@/components/ui/tabs";
import { getWords } from "@/lib/i18n/server";
import { recordedPosts } from "../../_data/reads";
import { type SearchParams, single, withQuery } from "../../_data/search-params";
import { Posts } from "../../_parts/posts";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("record.lists") };
}

/** Posts the visitor recorded, and posts of theirs that others did. */
export default async function MyRecords({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const query = await searchParams;
  const ofMine = single(query.of) === "my-posts";
  const cursor = single(query.cursor);
  const list = await recordedPosts(ofMine ? "onMine" : "mine", { cursor });
  if (!list) redirect("/sign-in?next=/profile/records");
  const here = (next?: string) =>
    withQuery("/profile/records", { of: ofMine ? "my-posts" : undefined, cursor: next });
  return (
    <Page title={t("record.lists")} back="/profile">
      <div>
        <Tabs
          label={t("record.listsTabs")}
          tabs={[
            { href: "/profile/records", label: t("record.mine"), current: !ofMine },
            { href: "/profile/records?of=my-posts", label: t("record.onMine"), current: ofMine },
          ]}
        />
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
