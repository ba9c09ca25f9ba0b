"use client";

import { SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from "react";
import { useWords } from "#words";
import { MentionTextarea } from "@/components/compose/mention-textarea";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Note } from "@/components/ui/notes";
import { LIMITS } from "@/lib/contract/limits";
import { exactTime } from "@/lib/i18n/time";
import { useChat, useRoomPart } from "./provider";
import type { Muted, RoomState } from "./room";
import { loadDraft, saveDraft } from "./storage";

/** From here on it is said how much is left. */
const NEAR = 900;

const mutedOf = ({ muted }: RoomState) => muted;

/** Where one writes; what is typed is never lost, whatever the connection does. */
export function ChatComposer() {
  const muted = useRoomPart(mutedOf);
  return (
    <div className="border-t px-4 py-3 md:px-6">{muted ? <MutedNote muted={muted} /> : <MessageForm />}</div>
  );
}

function MessageForm() {
  const { t } = useWords();
  const { topicId, room } = useChat();
  const [text, setText] = useState("");
  const id = useId();
  // Not in the first rendering: the server does not know the draft.
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
    // While a syllable is composed, Enter ends the syllable. Safari says so by the key code only.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form onSubmit={submit} className="grid gap-1">
      <label htmlFor={id} className="sr-only">
        {t("chat.field")}
      </label>
      <div className="flex items-end gap-2">
        <MentionTextarea
          id={id}
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
          aria-describedby={`${id}-hint ${id}-left`}
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
        <p
          id={`${id}-left`}
          role="status"
          className={cx("ms-auto tabular-nums", left < 0 && "font-medium text-seal")}
        >
          {message.length < NEAR
            ? ""
            : left < 0
              ? t("chat.tooMany", { n: -left })
              : t("chat.left", { n: left })}
        </p>
      </div>
    </form>
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
      {reason ? words.t("chat.mutedReason", { reason: reason }) : null}
    </Note>
  );
}
