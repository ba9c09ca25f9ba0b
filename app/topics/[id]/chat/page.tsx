import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import { useWords } from "#words";
import { chatStart } from "@/app/_data/reads";
import { ChatView } from "@/components/chat/chat-view";
import { PresencePanel } from "@/components/chat/presence";
import { ChatProvider } from "@/components/chat/provider";
import { Page } from "@/components/shell/page";
import { TopicAbout } from "@/components/topic/about";
import type { TopicView } from "@/components/topic/header";
import { JoinLink } from "@/components/topic/join-link";
import { EmptyState, Note } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { viewer } from "../../../_data/reads";
import type { IdPageProps } from "../../../_data/search-params";
import { withWords } from "../../../_parts/words";
import { Closed, openTopic, partHead } from "../_parts/open";

export const generateMetadata = partHead((t, topic) => t("chat.in", { topic }));

/** A topic's chat, for its members. */
async function ChatPage({ params }: IdPageProps) {
  const { t } = await getWords();
  const [view, who] = await Promise.all([openTopic(params), viewer()]);
  if (!view) return <Closed />;
  const { topic, currentUserRole } = view;
  const start = who && currentUserRole ? await chatStart(view, who.userId) : null;
  if (!start) return <Outsider view={view} isGuest={!who} />;
  return (
    <ChatProvider start={start}>
      <Page
        title={topic.title}
        back={`/topics/${topic.id}`}
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
            href={`/topics/${topic.id}`}
            aria-label={t("chat.back", { topic: topic.title })}
            className="ease tap -ms-2 inline-flex size-9 items-center justify-center rounded-control text-soft hover:bg-wash hover:text-ink"
          >
            <ChevronLeft className="size-5" aria-hidden />
          </Link>
          <div aria-hidden="true" className="min-w-0">
            <p className="text-sm text-soft">{t("topic.chat")}</p>
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

export default withWords(
  ["chat", "mention", "moderate", "own", "reaction", "reason", "report", "seal", "unread"],
  ChatPage,
);

function Outsider({ view, isGuest }: { readonly view: TopicView; readonly isGuest: boolean }) {
  const { t } = useWords();
  const { topic, joinPending } = view;
  return (
    <Page title={topic.title} back={`/topics/${topic.id}`} ownHeading>
      <h1 className="text-soft" dir="auto">
        {t("chat.in", { topic: topic.title })}
      </h1>
      <EmptyState title={t("chat.outsiderTitle")} action={joinPending ? null : <JoinLink topic={topic} />}>
        {isGuest ? t("chat.guest") : joinPending ? t("topic.pendingText") : t("chat.outsider")}
      </EmptyState>
    </Page>
  );
}
