import { ChevronLeft } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { useWords } from "#words";
import { ChatView } from "@/components/chat/chat-view";
import { PresencePanel } from "@/components/chat/presence";
import { ChatProvider } from "@/components/chat/provider";
import { Page } from "@/components/shell/page";
import { TopicAbout } from "@/components/topic/about";
import type { TopicView } from "@/components/topic/header";
import { joinVerb } from "@/components/topic/join-verb";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState, Note } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { chatStart } from "../../../_data/chat";
import { topic as readTopic, viewer } from "../../../_data/reads";
import { isId } from "../../../_data/search-params";
import { Closed } from "../../../_parts/closed";

interface Props {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { t } = await getWords();
  const { id } = await params;
  const found = isId(id) ? await readTopic(id) : null;
  if (!found?.ok) return { title: t("problems.notFoundTitle"), robots: { index: false } };
  return { title: t("chat.in", { topic: found.value.topic.title }), robots: { index: false } };
}

/** A topic's chat, for its members. */
export default async function ChatPage({ params }: Props) {
  const { t } = await getWords();
  const { id } = await params;
  if (!isId(id)) notFound();
  const [found, who] = await Promise.all([readTopic(id), viewer()]);
  if (!found.ok) {
    if (found.code === "topic_secret") return <Closed />;
    notFound();
  }
  const { topic, currentUserRole } = found.value;
  const start = who && currentUserRole ? await chatStart(found.value, who.userId) : null;
  if (!start) return <Outsider view={found.value} isGuest={!who} />;
  return (
    <ChatProvider start={start}>
      <Page
        title={topic.title}
        back={`/topics/${id}`}
        fill
        aside={
          <>
            <PresencePanel />
            <TopicAbout topic={topic} isMember />
          </>
        }
      >
        <h1 className="sr-only">{t("chat.in", { topic: topic.title })}</h1>
        <header className="hidden items-center gap-2 border-b px-6 py-3 md:flex">
          <Link
            href={`/topics/${id}`}
            aria-label={t("chat.back", { topic: topic.title })}
            className="ease tap -ms-2 inline-flex size-9 items-center justify-center rounded-control text-soft hover:bg-wash hover:text-ink"
          >
            <ChevronLeft className="size-5" aria-hidden />
          </Link>
          <div aria-hidden="true" className="min-w-0">
            <p className="text-sm text-soft">{t("chat.title")}</p>
            <p className="truncate font-serif text-xl font-semibold" dir="auto">
              {topic.title}
            </p>
          </div>
        </header>
        <ChatView />
        <noscript>
          <div className="p-4">
            <Note tone="warning">{t("chat.needsScript")}</Note>
          </div>
        </noscript>
      </Page>
    </ChatProvider>
  );
}

function Outsider({ view, isGuest }: { readonly view: TopicView; readonly isGuest: boolean }) {
  const words = useWords();
  const { topic, joinPending } = view;
  return (
    <Page title={topic.title} back={`/topics/${topic.id}`} ownHeading>
      <h1 className="text-soft" dir="auto">
        {words.t("chat.in", { topic: topic.title })}
      </h1>
      <EmptyState
        title={words.t("chat.outsiderTitle")}
        action={
          joinPending ? null : (
            <ButtonLink href={`/topics/${topic.id}/join`} tone="primary">
              {joinVerb(words, topic)}
            </ButtonLink>
          )
        }
      >
        {isGuest
          ? words.t("chat.guest")
          : joinPending
            ? words.t("topic.pendingText")
            : words.t("chat.outsider")}
      </EmptyState>
    </Page>
  );
}
