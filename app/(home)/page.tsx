import Link from "next/link";
import { useWords } from "#words";
import { Away } from "@/components/reading/away";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { Tabs } from "@/components/ui/tabs";
import { getWords } from "@/lib/i18n/server";
import { fixedHead } from "../_data/head";
import { unreadByTopic } from "../_data/me";
import { feed, railTopics, viewer } from "../_data/reads";
import { type SearchParams, single, withQuery } from "../_data/search-params";
import { ActiveTopics, WelcomeCard } from "../_parts/asides";
import { EndlessPosts } from "../_parts/endless-posts";
import { Posts } from "../_parts/posts";
import { Streamed } from "../_parts/streamed";

export const generateMetadata = () => fixedHead({ path: "/", feed: true });

const sorts = ["hot", "new", "active", "top", "recorded"] as const;

type Sort = (typeof sorts)[number];

/** The feed: a member's own topics and whom they follow, or posts of every topic the reader may see. */
export default async function Home({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const query = await searchParams;
  const asked = sorts.find((s) => s === single(query.sort));
  const who = await viewer();
  const own = who ? await railTopics() : [];
  const isOwn = single(query.view) === "my" || (own.length > 0 && !asked);
  const sort = asked ?? "hot";
  const cursor = single(query.cursor);
  const mine = { label: t("feed.mine"), current: isOwn };
  const all = sorts.map((s) => ({
    href: s === "hot" && own.length === 0 ? "/" : `/?sort=${s}`,
    label: t(`feed.${s}`),
    current: !isOwn && s === sort,
  }));
  return (
    <Page
      title={t("nav.home")}
      aside={
        <>
          {who ? null : <WelcomeCard />}
          <Streamed skeleton={null}>
            <ActiveTopics />
          </Streamed>
        </>
      }
    >
      {who ? null : (
        <div className="wide:hidden">
          <WelcomeCard />
        </div>
      )}
      {isOwn && !cursor ? <Away topics={own} counts={await unreadByTopic()} /> : null}
      <div>
        <Tabs
          label={t("feed.sort")}
          // Who belongs somewhere begins there.
          tabs={own.length > 0 ? [{ href: "/", ...mine }, ...all] : [...all, { href: "/?view=my", ...mine }]}
        />
        <Streamed>
          <FeedPosts sort={sort} view={isOwn ? "my" : undefined} cursor={cursor} />
        </Streamed>
      </div>
    </Page>
  );
}

interface FeedProps {
  readonly sort: Sort;
  readonly view: "my" | undefined;
  readonly cursor: string | undefined;
}

async function FeedPosts({ sort, view, cursor }: FeedProps) {
  const [who, list] = await Promise.all([viewer(), feed({ sort: view ? "new" : sort, view, cursor })]);
  const here = (next?: string) => withQuery("/", { sort: view ? undefined : sort, view, cursor: next });
  return (
    <>
      <Posts
        list={list}
        empty={<Empty my={view === "my"} recorded={sort === "recorded" && !view} guest={!who} />}
      />
      <EndlessPosts
        source={{ of: "feed", query: { sort: view ? "new" : sort, view } }}
        href={here}
        cursor={cursor}
        next={list.ok ? list.value.nextCursor : null}
      />
    </>
  );
}

interface EmptyProps {
  readonly my: boolean;
  readonly recorded: boolean;
  readonly guest: boolean;
}

function Empty({ my, recorded, guest }: EmptyProps) {
  const { t } = useWords();
  if (recorded) return <EmptyState title={t("record.feedEmptyTitle")}>{t("record.lead")}</EmptyState>;
  if (my && guest) {
    return (
      <EmptyState
        title={t("feed.guestMyTitle")}
        action={
          <ButtonLink href="/sign-in" prefetch={false}>
            {t("nav.signIn")}
          </ButtonLink>
        }
      >
        {t("feed.emptyMy")}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={my ? t("feed.emptyMyTitle") : t("topic.emptyTitle")}
      action={
        <>
          <ButtonLink href="/topics">{t("problems.explore")}</ButtonLink>
          <Link href="/topics/new" prefetch={false} className="link self-center">
            {t("topics.startTopic")}
          </Link>
        </>
      }
    >
      {my ? t("feed.emptyMy") : t("feed.empty")}
    </EmptyState>
  );
}
