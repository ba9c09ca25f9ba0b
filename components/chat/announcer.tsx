"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import type { ChatMessage } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";
import { useChat } from "./provider";

/** Milliseconds in which messages are gathered, so that a lively chat does not talk without end. */
const BATCH_MS = 3000;
/** More than these are counted, not read. */
const READ_OUT = 3;

/** Reads what arrives to people who do not see it: messages of others, some at a time, never the history. */
export function Announcer() {
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
