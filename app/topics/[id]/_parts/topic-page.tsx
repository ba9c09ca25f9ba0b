import type { ReactNode } from "react";
import { chatStart } from "@/app/_data/reads";
import { ChatSidePanel } from "@/components/chat/side-panel";
import { countText } from "@/components/reading/counts";
import { Page } from "@/components/shell/page";
import { TopicAbout } from "@/components/topic/about";
import { TopicHeader, type TopicView } from "@/components/topic/header";
import { TabsInView } from "@/components/topic/tabs-in-view";
import { TopicGate } from "@/components/topic/topic-gate";
import { EmptyState } from "@/components/ui/notes";
import { type Tab, Tabs } from "@/components/ui/tabs";
import { getWords } from "@/lib/i18n/server";
import { shownDomains, topicReading } from "../../../_data/me";
import { config, viewer } from "../../../_data/reads";
import { standingAt } from "../../../_data/seals";
import { type IdPageProps, single } from "../../../_data/search-params";
import { waitingRequests } from "../../../_data/staff";
import { Closed, openTopic } from "./open";

type TopicPart = "posts" | "members" | "chat" | "about" | "requests" | "reports" | "log";

/** Latest chat entries for the side panel, joins and leaves included. */
const CHAT_LINES = 20;

async function tabsOf(
  { topic, currentUserRole, openReports, proof }: TopicView,
  current: TopicPart,
): Promise<Tab[]> {
  const { t } = await getWords();
  const home = `/topics/${topic.id}`;
  const role = proof?.state === "lapsed" ? null : currentUserRole;
  const tab = (part: TopicPart, href: string, count?: string | null): Tab => ({
    href,
    label: t(`topic.${part}`),
    current: part === current,
    count,
  });
  const tabs = [tab("posts", home)];
  if (role) {
    const fresh = current === "chat" ? 0 : ((await topicReading(topic.id))?.chat.new ?? 0);
    tabs.push(tab("members", `${home}/members`), tab("chat", `${home}/chat`, countText(fresh)));
  }
  tabs.push(tab("about", `${home}?tab=about`));
  if (topic.abilities.includes("moderate")) {
    // Without approval, too: who asked while the previous release still ran is waiting.
    const waiting = topic.visibility === "private" ? await waitingRequests(topic.id) : null;
    if (topic.requiresApproval || waiting) tabs.push(tab("requests", `${home}/requests`, waiting));
    tabs.push(tab("reports", `${home}/reports`, openReports ? String(openReports) : null));
  }
  if (role) tabs.push(tab("log", `${home}/log`));
  return tabs;
}

export interface TopicPageProps {
  readonly view: TopicView;
  readonly part: TopicPart;
  readonly children: ReactNode;
}

/** The frame of every tab of a topic: header, gate, tabs and side column. */
export async function TopicPage({ view, part, children }: TopicPageProps) {
  const { t } = await getWords();
  const { topic, currentUserRole: role } = view;
  const [settings, who] = await Promise.all([config(), viewer()]);
  const [tabs, chat] = await Promise.all([
    tabsOf(view, part),
    who && role && view.proof?.state !== "lapsed" ? chatStart(view, who.userId, CHAT_LINES) : null,
  ]);
  const isHome = part === "posts" || part === "about";
  const gate =
    role && topic.proofType === "none" ? null : (
      <TopicGate
        view={view}
        standing={await standingAt(topic)}
        config={settings}
        shownDomains={await shownDomains(view.topic.id)}
      />
    );
  return (
    <Page
      title={topic.title}
      back={part === "posts" ? "/topics" : `/topics/${topic.id}`}
      ownHeading
      aside={
        <>
          {gate}
          {chat ? <ChatSidePanel start={chat} /> : null}
          {part === "about" ? null : <TopicAbout topic={topic} isMember={role !== null} />}
        </>
      }
    >
      <TopicHeader view={view} brief={!isHome} />
      {gate && isHome ? <div className="wide:hidden">{gate}</div> : null}
      <TabsInView key={part}>
        <Tabs label={t("topic.tabs")} tabs={tabs} />
      </TabsInView>
      {children}
    </Page>
  );
}

export interface StaffListProps {
  readonly topic: TopicView["topic"];
  /** Whether to list decided entries, too. */
  readonly all: boolean;
  readonly cursor: string | undefined;
}

/** Makes the page of a tab with a list that only staff may see. */
export function staffPage(part: "requests" | "reports", List: (props: StaffListProps) => Promise<ReactNode>) {
  return async ({ params, searchParams }: IdPageProps) => {
    const { t } = await getWords();
    const view = await openTopic(params);
    if (!view) return <Closed />;
    const { status, cursor } = await searchParams;
    return (
      <TopicPage view={view} part={part}>
        {view.topic.abilities.includes("moderate") ? (
          <List topic={view.topic} all={single(status) === "all"} cursor={single(cursor)} />
        ) : (
          <EmptyState title={t("requests.outsiderTitle")}>{t("requests.outsider")}</EmptyState>
        )}
      </TopicPage>
    );
  };
}
