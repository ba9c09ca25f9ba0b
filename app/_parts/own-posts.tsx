import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { type OwnPath, OwnTabs, ownPaths } from "@/components/me/links";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import type { Post } from "@/lib/contract";
import { getWords } from "@/lib/i18n/server";
import { type OwnList, ownPosts } from "../_data/me";
import type { Read } from "../_data/result";
import { type SearchParams, single, withQuery } from "../_data/search-params";
import { MyTopics } from "./asides";
import { Posts } from "./posts";

interface OwnListPageProps {
  readonly current: OwnPath;
  readonly title: string;
  readonly list: Read<{ readonly posts: readonly Post[]; readonly nextCursor: string | null }> | null;
  readonly empty: ReactNode;
  readonly cursor: string | undefined;
  /** Returns the address of a page of the list. */
  readonly href?: (cursor?: string) => string;
  /** Between the tabs and the posts. */
  readonly children?: ReactNode;
}

/** The page of one of the visitor's own lists of posts; guests go to sign in. */
export function OwnListPage({ current, title, list, empty, cursor, children, ...props }: OwnListPageProps) {
  const path = ownPaths[current];
  if (!list) redirect(withQuery("/sign-in", { next: path }));
  const { href = (next) => withQuery(path, { cursor: next }) } = props;
  return (
    <Page title={title} back="/profile" aside={<MyTopics />}>
      <div>
        <OwnTabs current={current} />
        {children}
        <Posts list={list} empty={empty} />
      </div>
      <More href={href} cursor={cursor} next={list.ok ? list.value.nextCursor : null} />
    </Page>
  );
}

interface OwnPostsProps {
  readonly list: OwnList;
  readonly searchParams: SearchParams;
}

/** Posts the visitor wrote, bookmarked or upvoted, as a page. */
export async function OwnPosts({ list: which, searchParams }: OwnPostsProps) {
  const { t } = await getWords();
  const cursor = single((await searchParams).cursor);
  return (
    <OwnListPage
      current={which}
      title={t(`me.lists.${which}`)}
      list={await ownPosts(which, { cursor })}
      cursor={cursor}
      empty={
        <EmptyState
          title={t(`me.empty.${which}`)}
          action={
            which === "posts" ? (
              <ButtonLink href="/write">{t("topic.write")}</ButtonLink>
            ) : (
              <ButtonLink href="/">{t("me.readFeed")}</ButtonLink>
            )
          }
        >
          {t(`me.teach.${which}`)}
        </EmptyState>
      }
    />
  );
}
