"use client";

import { useWords } from "#words";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { Announcer } from "./announcer";
import { ChatComposer } from "./composer";
import { Lines } from "./lines";
import { useChat, useRoomPart } from "./provider";
import type { RoomState } from "./room";
import { ChatStatus } from "./status";

const closedBy = ({ stream, closedBy: code }: RoomState) =>
  stream === "closed" ? (code ?? "unknown") : null;

/** A chat in full: state of the connection, messages, the field to write in. */
export function ChatView() {
  const { topicId } = useChat();
  const code = useRoomPart(closedBy);
  if (code !== null) return <Closed code={code} topicId={topicId} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ChatStatus />
      <Lines />
      <ChatComposer />
      <Announcer />
    </div>
  );
}

/** Nothing of the chat stays on the screen of somebody who may not read it any more. */
function Closed({ code, topicId }: { readonly code: string; readonly topicId: string }) {
  const { t } = useWords();
  const ended = code === "not_authenticated";
  return (
    <div role="alert" className="p-4 md:p-6">
      <EmptyState
        title={ended ? t("chat.sessionTitle") : t("chat.removedTitle")}
        action={
          ended ? (
            <ButtonLink
              href={`/sign-in?next=${encodeURIComponent(`/topics/${topicId}/chat`)}`}
              tone="primary"
            >
              {t("nav.signIn")}
            </ButtonLink>
          ) : (
            <ButtonLink href={`/topics/${topicId}`}>{t("chat.toTopic")}</ButtonLink>
          )
        }
      >
        {ended ? t("chat.session") : t("chat.removed")}
      </EmptyState>
    </div>
  );
}
