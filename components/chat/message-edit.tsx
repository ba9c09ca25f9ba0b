"use client";

import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { CharactersLeft } from "@/components/compose/characters-left";
import { MentionTextarea } from "@/components/compose/mention-textarea";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import type { ChatMessage } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { focusLine } from "./keys";
import { useChat } from "./provider";
import type { Editing } from "./room-state";

interface MessageEditProps {
  readonly entry: ChatMessage;
  readonly editing: Editing;
}

/** The form in which authors change a message, in its place. Enter saves, Escape leaves. */
export function MessageEdit({ entry, editing }: MessageEditProps) {
  const { t } = useWords();
  const { topicId, room } = useChat();
  const [text, setText] = useState(editing.text);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
    area?.form?.scrollIntoView({ block: "nearest" });
  }, []);
  const message = text.trim();
  const left = LIMITS.chatMessage - message.length;
  const leave = () => {
    room.write(null);
    focusLine(entry.id);
  };
  /** A refusal brings the form back with the sentence, unless the reader is changing another message. */
  const send = async (next: string) => {
    const result = await room.edit(entry.id, next);
    const isBack = room.snapshot().editing?.id === entry.id;
    if (!result.ok && !isBack) toast({ text: result.sentence, tone: "wrong" });
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!message || left < 0) return;
    if (message === entry.message) leave();
    else {
      void send(message);
      focusLine(entry.id);
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (isComposing) return;
    if (event.key === "Escape") leave();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    submit();
  };
  return (
    <form onSubmit={submit} className="grid gap-2 py-1">
      <label htmlFor={id} className="sr-only">
        {t("chat.editLabel")}
      </label>
      <MentionTextarea
        id={id}
        field={field}
        topicId={topicId}
        side="above"
        value={text}
        dir="auto"
        rows={2}
        onValue={setText}
        onKeyDown={onKeyDown}
        aria-invalid={left < 0 || editing.problem ? true : undefined}
        aria-describedby={`${id}-left`}
      />
      {editing.problem ? <ErrorNote>{editing.problem}</ErrorNote> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="sm" disabled={!message || left < 0}>
          {t("common.save")}
        </Button>
        <Button size="sm" tone="quiet" onClick={leave}>
          {t("common.cancel")}
        </Button>
        <CharactersLeft
          id={`${id}-left`}
          left={left}
          isNear={left < 100}
          role="status"
          className="ms-auto text-xs text-soft"
        />
      </div>
    </form>
  );
}
