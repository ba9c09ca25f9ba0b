import Link from "next/link";
import { SealMark } from "@/components/proof/seal-mark";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { Panel } from "@/components/shell/panel";
import { TopicShortList } from "@/components/topic/topic-row";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { Tabs } from "@/components/ui/tabs";
import * as en from "@/lib/i18n/en";
import { feed, topics, viewer } from "../_data/reads";
import { type SearchParams, single, withQuery } from "../_data/search-params";
import { Posts } from "../_parts/posts";

const sorts = ["hot", "new", "active", "top", "recorded"] as const;

/** The feed: posts of every topic the reader may see, or of their own. */
export default async function Home({ searchParams }: { readonly searchParams: SearchParams }) {
  const query = await searchParams;
  const sort = sorts.find((s) => s === single(query.sort)) ?? "hot";
  const view = single(query.view) === "my" ? ("my" as const) : undefined;
  const cursor = single(query.cursor);
  const [who, list, busy] = await Promise.all([
    viewer(),
    feed({ sort: view ? "new" : sort, view, cursor }),
    topics({ view: "all", sort: "active", limit: 5 }),
  ]);
  const here = (next?: string) => withQuery("/", { sort: view ? undefined : sort, view, cursor: next });
  return (
    <Page
      title={en.feed.title}
      aside={
        <>
          {who ? null : <Welcome />}
          {busy.ok && busy.value.topics.length > 0 ? (
            <Panel title={en.feed.asideTitle}>
              <TopicShortList topics={busy.value.topics} />
            </Panel>
          ) : null}
        </>
      }
    >
      {who ? null : (
        <div className="wide:hidden">
          <Welcome />
        </div>
      )}
      <div>
        <Tabs
          label={en.feed.tabs}
          tabs={[
            ...sorts.map((s) => ({
              href: s === "hot" ? "/" : `/?sort=${s}`,
              label: en.feed[s],
              current: !view && s === sort,
            })),
            { href: "/?view=my", label: en.feed.my, current: view === "my" },
          ]}
        />
        <Posts
          list={list}
          empty={<Empty my={view === "my"} recorded={sort === "recorded" && !view} guest={!who} />}
        />
      </div>
      {list.ok ? (
        <More next={list.value.nextCursor && here(list.value.nextCursor)} first={cursor ? here() : null} />
      ) : null}
    </Page>
  );
}

function Welcome() {
  return (
    <section className="grid gap-3 rounded-sheet border bg-sheet p-5">
      <SealMark kind="domain" size="md" />
      <h2 className="font-serif text-xl font-semibold">{en.feed.welcomeTitle}</h2>
      <p className="text-soft">{en.feed.welcome}</p>
      <div>
        <ButtonLink href="/sign-in" tone="primary">
          {en.signIn.title}
        </ButtonLink>
      </div>
    </section>
  );
}

interface EmptyProps {
  readonly my: boolean;
  readonly recorded: boolean;
  readonly guest: boolean;
}

function Empty({ my, recorded, guest }: EmptyProps) {
  if (recorded) return <EmptyState title={en.record.feedEmptyTitle}>{en.record.lead}</EmptyState>;
  if (my && guest) {
    return (
      <EmptyState
        title={en.feed.guestMyTitle}
        action={<ButtonLink href="/sign-in">{en.nav.signIn}</ButtonLink>}
      >
        {en.feed.emptyMy}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={my ? en.feed.emptyMyTitle : en.feed.emptyTitle}
      action={
        <>
          <ButtonLink href="/topics">{en.problems.explore}</ButtonLink>
          <Link href="/topics/new" className="link self-center">
            {en.topics.startTopic}
          </Link>
        </>
      }
    >
      {my ? en.feed.emptyMy : en.feed.empty}
    </EmptyState>
  );
}
