"use client";

import { CornerUpLeft, SendHorizontal, UsersRound, X } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { CharactersLeft } from "@/components/compose/characters-left";
import { MentionTextarea } from "@/components/compose/mention-textarea";
import { Button, ButtonLink } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Dialog } from "@/components/ui/dialog";
import { nameOf } from "@/components/ui/member-name";
import { EmptyState, Note } from "@/components/ui/notes";
import type { ChatMessage } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { exactTime } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import { Lines } from "./lines";
import { PresenceList, presenceOf } from "./presence";
import { useChat, useRoomPart } from "./provider";
import type { Muted, RoomState } from "./room-state";
import { loadDraft, saveDraft } from "./storage";

/** Messages are announced in batches, so that a busy chat does not keep a screen reader talking. */
const BATCH_MS = 3000;
/** A batch with more messages than this is announced as a number. */
const MAX_READ_OUT = 3;

/** Announces new messages of others to screen readers, in batches; never the history. */
function Announcer() {
  const words = useWords();
  const { room, blocked } = useChat();
  const [announced, setAnnounced] = useState("");
  useEffect(() => {
    let waiting: ChatMessage[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      setAnnounced(announcementOf(words, waiting));
      waiting = [];
    };
    const stop = room.onArrival((message) => {
      if (blocked.has(message.userId)) return;
      waiting.push(message);
      timer ??= setTimeout(flush, BATCH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [room, words, blocked]);
  return (
    <p className="sr-only" aria-live="polite" data-announcer>
      {announced}
    </p>
  );
}

function announcementOf(words: Words, messages: readonly ChatMessage[]): string {
  if (messages.length > MAX_READ_OUT) return words.t("chat.announcedMany", { n: messages.length });
  return messages
    .map(({ nickname, message }) => words.t("chat.announced", { name: nickname, text: message }))
    .join("\n");
}

const streamOf = ({ stream }: RoomState) => stream;

/** The state of the connection, and who is here. */
function ChatStatus() {
  const words = useWords();
  const stream = useRoomPart(streamOf);
  const presence = useRoomPart(presenceOf);
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

const replyToOf = ({ replyTo }: RoomState) => replyTo;
const mutedOf = ({ muted }: RoomState) => muted;

/** The whole chat: state of the connection, messages, field to write in. */
export function ChatView() {
  const { topicId } = useChat();
  const muted = useRoomPart(mutedOf);
  const code = useRoomPart(closedBy);
  if (code !== null) return <Closed code={code} topicId={topicId} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ChatStatus />
      <Lines />
      <div className="border-t px-4 py-3 md:px-6">
        {muted ? <MutedNote muted={muted} /> : <MessageForm />}
      </div>
      <Announcer />
    </div>
  );
}

/** Replaces the chat when its reader may no longer read it. */
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
        {ended ? t("chat.session") : t("common.noLongerMember")}
      </EmptyState>
    </div>
  );
}

/** Length from which the form shows how many characters are left. */
const NEAR_LIMIT = 900;

/** The field to write in. A draft survives a lost connection and a reload. */
function MessageForm() {
  const { t } = useWords();
  const { topicId, room } = useChat();
  const [text, setText] = useState("");
  const reply = useRoomPart(replyToOf);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    if (reply) field.current?.focus();
  }, [reply]);
  // In an effect, because the server does not know the draft.
  useEffect(() => setText((typed) => typed || loadDraft(topicId)), [topicId]);

  const change = (next: string) => {
    setText(next);
    saveDraft(topicId, next);
  };
  const message = text.trim();
  const left = LIMITS.chatMessage - message.length;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!message || left < 0) return;
    room.send(message);
    change("");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // In an input method, Enter ends the composition. Safari reports it only by the key code.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key === "Escape" && reply && !isComposing) room.answer(null);
    if (event.key !== "Enter" || event.shiftKey || isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form onSubmit={submit} className="grid gap-1">
      <label htmlFor={id} className="sr-only">
        {t("chat.field")}
      </label>
      {reply ? <ReplyNote reply={reply} onStop={() => room.answer(null)} /> : null}
      <div className="flex items-end gap-2">
        <MentionTextarea
          id={id}
          field={field}
          topicId={topicId}
          side="above"
          value={text}
          dir="auto"
          rows={1}
          autoComplete="off"
          enterKeyHint="send"
          placeholder={t("chat.placeholder")}
          className="max-h-40 min-h-10! resize-none pointer-coarse:min-h-11!"
          onValue={change}
          onKeyDown={onKeyDown}
          aria-invalid={left < 0 ? true : undefined}
          aria-describedby={`${reply ? `${replyNoteId} ` : ""}${id}-hint ${id}-left`}
        />
        <Button
          type="submit"
          tone={message ? "primary" : "plain"}
          aria-label={t("chat.send")}
          title={t("chat.send")}
          disabled={!message || left < 0}
          className="px-3!"
        >
          <SendHorizontal className="size-5" aria-hidden />
        </Button>
      </div>
      <div className="flex justify-between gap-3 text-xs text-soft">
        <p id={`${id}-hint`} className="sr-only md:not-sr-only">
          {t("chat.hint")}
        </p>
        <CharactersLeft
          id={`${id}-left`}
          left={left}
          isNear={message.length >= NEAR_LIMIT}
          role="status"
          className="ms-auto"
        />
      </div>
    </form>
  );
}

const replyNoteId = "chat-reply-note";

interface ReplyNoteProps {
  readonly reply: ChatMessage;
  readonly onStop: () => void;
}

/** The message that the next one answers, above the field. */
function ReplyNote({ reply, onStop }: ReplyNoteProps) {
  const words = useWords();
  return (
    <div className="flex items-center gap-2 text-sm text-soft">
      <CornerUpLeft className="size-4 shrink-0" aria-hidden />
      <p id={replyNoteId} dir="auto" className="min-w-0 flex-1 truncate">
        {words.t("chat.replying", { name: nameOf(words, reply.nickname), text: reply.message })}
      </p>
      <Button
        size="sm"
        tone="quiet"
        aria-label={words.t("chat.stopReply")}
        onClick={onStop}
        className="px-2!"
      >
        <X className="size-4" aria-hidden />
      </Button>
    </div>
  );
}

function MutedNote({ muted: { reason, until } }: { readonly muted: Muted }) {
  const words = useWords();
  return (
    <Note tone="warning" title={words.t("chat.mutedTitle")}>
      <span suppressHydrationWarning>
        {until
          ? words.t("chat.mutedUntil", { when: exactTime(words, new Date(until)) })
          : words.t("chat.muted")}
      </span>{" "}
      {reason ? words.t("common.reason", { reason }) : null}
    </Note>
  );
}
