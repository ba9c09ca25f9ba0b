"use client";

import { UsersRound } from "lucide-react";
import { useEffect, useState } from "react";
import { useWords } from "#words";
import { Button, ButtonLink } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/notes";
import type { ChatMessage } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";
import { ChatComposer } from "./composer";
import { Lines } from "./lines";
import { PresenceList } from "./presence";
import { useChat, useRoomPart } from "./provider";
import type { RoomState } from "./room";

/** Milliseconds in which messages are gathered, so that a lively chat does not talk without end. */
const BATCH_MS = 3000;
/** More than these are counted, not read. */
const READ_OUT = 3;

/** Reads what arrives to people who do not see it: messages of others, some at a time, never the history. */
function Announcer() {
  const words = useWords();
  const { room } = useChat();
  const [said, setSaid] = useState("");
  useEffect(() => {
    let waiting: ChatMessage[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      setSaid(wordsFor(words, waiting));
      waiting = [];
    };
    const stop = room.onArrival((message) => {
      waiting.push(message);
      timer ??= setTimeout(flush, BATCH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [room, words]);
  return (
    <p className="sr-only" aria-live="polite" data-announcer>
      {said}
    </p>
  );
}

function wordsFor(words: Words, messages: readonly ChatMessage[]): string {
  if (messages.length > READ_OUT) return words.t("chat.announcedMany", { n: messages.length });
  return messages
    .map(({ nickname, message }) => words.t("chat.announced", { name: nickname, text: message }))
    .join("\n");
}

const partOf = {
  stream: ({ stream }: RoomState) => stream,
  presence: ({ presence }: RoomState) => presence,
};

/** How the connection stands, in words, and who is here. */
function ChatStatus() {
  const words = useWords();
  const stream = useRoomPart(partOf.stream);
  const presence = useRoomPart(partOf.presence);
  const [open, setOpen] = useState(false);
  return (
    <div className="flex min-h-11 items-center justify-between gap-3 border-b px-4 md:px-6">
      <p role="status" className="flex items-center gap-2 text-sm text-soft">
        <span
          aria-hidden="true"
          className={cx("size-2 shrink-0 rounded-full", stream === "live" ? "bg-moss" : "bg-amber")}
        />
        {stream === "closed" ? null : words.t(`chat.states.${stream}`)}
      </p>
      <Button size="sm" tone="quiet" onClick={() => setOpen(true)} className="wide:hidden">
        <UsersRound className="size-4" aria-hidden />
        {words.t("chat.hereCount", { n: presence.count })}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={words.t("chat.here")}>
        <PresenceList presence={presence} />
      </Dialog>
    </div>
  );
}

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
