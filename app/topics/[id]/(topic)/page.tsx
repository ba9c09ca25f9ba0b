import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ChatSidePanel } from "@/components/chat/side-panel";
import { PostList } from "@/components/post/post-row";
import { Pending } from "@/components/outbox/pending";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { TopicAbout } from "@/components/topic/about";
import { TopicHeader } from "@/components/topic/header";
import { TopicGate } from "@/components/topic/topic-gate";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { Tabs } from "@/components/ui/tabs";
import { getWords } from "@/lib/i18n/server";
import { chatStart } from "../../../_data/chat";
import { topicHead } from "../../../_data/head";
import { config, posts, topic as readTopic, viewer } from "../../../_data/reads";
import { isId, type SearchParams, single, withQuery } from "../../../_data/search-params";
import { Closed } from "../../../_parts/closed";

interface Props {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return topicHead((await params).id);
}

const sorts = ["hot", "new", "active", "top"] as const;
/** Latest entries of the chat for the panel beside; comings and goings are among them. */
const CHAT_LINES = 20;

/** A topic: what it is, what it asks for, and what is said in it. */
export default async function TopicPage({ params, searchParams }: Props) {
  const { t } = await getWords();
  const { id } = await params;
  if (!isId(id)) notFound();
  const [found, settings, query, who] = await Promise.all([readTopic(id), config(), searchParams, viewer()]);
  if (!found.ok) {
    if (found.code === "topic_secret") return <Closed />;
    notFound();
  }
  const { topic, currentUserRole } = found.value;
  const about = single(query.tab) === "about";
  const sort = sorts.find((s) => s === single(query.sort)) ?? "hot";
  const cursor = single(query.cursor);
  const gate =
    currentUserRole && topic.proofType === "none" ? null : <TopicGate view={found.value} config={settings} />;
  const home = `/topics/${id}`;
  const chat = who && currentUserRole ? await chatStart(found.value, who.userId, CHAT_LINES) : null;
  return (
    <Page
      title={topic.title}
      back="/topics"
      ownHeading
      aside={
        <>
          {gate}
          {chat ? <ChatSidePanel start={chat} /> : null}
          <TopicAbout topic={topic} isMember={currentUserRole !== null} />
        </>
      }
    >
      <TopicHeader view={found.value} />
      <Pending here={{ kind: "post", place: id }} />
      {gate ? <div className="wide:hidden">{gate}</div> : null}
      <div>
        <Tabs
          label={t("topic.tabs")}
          tabs={[
            ...sorts.map((s) => ({
              href: s === "hot" ? home : `${home}?sort=${s}`,
              label: t(`feed.${s}`),
              current: !about && s === sort,
            })),
            ...(chat ? [{ href: `${home}/chat`, label: t("chat.tab"), current: false }] : []),
            { href: `${home}?tab=about`, label: t("topic.about"), current: about },
          ]}
        />
        <div className="pt-1">
          {about ? (
            <div className="pt-4">
              <TopicAbout topic={topic} isMember={currentUserRole !== null} long />
            </div>
          ) : (
            <TopicPosts id={id} sort={sort} cursor={cursor} member={currentUserRole !== null} />
          )}
        </div>
      </div>
    </Page>
  );
}

interface PostsProps {
  readonly id: string;
  readonly sort: (typeof sorts)[number];
  readonly cursor: string | undefined;
  readonly member: boolean;
}

async function TopicPosts({ id, sort, cursor, member }: PostsProps) {
  const { t } = await getWords();
  const list = await posts({ topicId: id, sort, cursor });
  if (!list.ok) {
    return (
      <div className="pt-4">
        <EmptyState title={t("topic.closedTitle")}>{t("topic.closed")}</EmptyState>
      </div>
    );
  }
  const { posts: items, nextCursor } = list.value;
  if (items.length === 0) {
    return (
      <div className="pt-4">
        <EmptyState
          title={t("topic.emptyTitle")}
          action={member ? <ButtonLink href={`/topics/${id}/new`}>{t("topic.write")}</ButtonLink> : null}
        >
          {member ? t("topic.emptyMember") : t("topic.emptyOutsider")}
        </EmptyState>
      </div>
    );
  }
  const here = (next?: string) => withQuery(`/topics/${id}`, { sort, cursor: next });
  return (
    <>
      <PostList posts={items} showTopic={false} />
      <More next={nextCursor && here(nextCursor)} first={cursor ? here() : null} />
    </>
  );
}
