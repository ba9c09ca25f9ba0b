import { redirect } from "next/navigation";
import { OwnTabs, ownPaths } from "@/components/me/own-tabs";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { type OwnList, ownPosts } from "../_data/me";
import { type SearchParams, single, withQuery } from "../_data/search-params";
import { MyTopicsAside } from "./my-topics-aside";
import { Posts } from "./posts";

interface Props {
  readonly list: OwnList;
  readonly searchParams: SearchParams;
}

/** One of the visitor's own lists of posts, as a page. */
export async function OwnPosts({ list: which, searchParams }: Props) {
  const { t } = await getWords();
  const path = ownPaths[which];
  const cursor = single((await searchParams).cursor);
  const list = await ownPosts(which, { cursor });
  if (!list) redirect(withQuery("/sign-in", { next: path }));
  return (
    <Page title={t(`me.titles.${which}`)} back="/profile" aside={<MyTopicsAside />}>
      <div>
        <OwnTabs current={which} />
        <Posts
          list={list}
          empty={
            <EmptyState
              title={t(`me.empty.${which}`)}
              action={
                which === "posts" ? (
                  <ButtonLink href="/write">{t("me.write")}</ButtonLink>
                ) : (
                  <ButtonLink href="/">{t("me.readFeed")}</ButtonLink>
                )
              }
            >
              {t(`me.teach.${which}`)}
            </EmptyState>
          }
        />
      </div>
      {list.ok ? (
        <More
          next={list.value.nextCursor && withQuery(path, { cursor: list.value.nextCursor })}
          first={cursor ? path : null}
        />
      ) : null}
    </Page>
  );
}
