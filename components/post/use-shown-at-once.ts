"use client";

import { useRef, useState } from "react";
import { useWords } from "#words";
import { type Client, callApi, type Failure } from "@/components/call-api";
import { type ToastMessage, toast } from "@/components/ui/toast";
import type { SentenceName, Words } from "@/lib/i18n/words";

export interface Acts<State, Act> {
  /** As the server last said; what was pressed since stays until the page is loaded anew. */
  readonly initial: State;
  /** What an act makes of what is shown, if the server takes it. */
  readonly after: (shown: State, act: Act) => State;
  /**
   * Sends an act.
   * @param confirmed what the server last said
   * @param confirm for an act of several calls: what the calls so far have made of it
   * @returns what the server says now
   */
  readonly send: (
    client: Client,
    act: Act,
    confirmed: State,
    confirm: (state: State) => void,
  ) => Promise<State>;
  /** What a guest is told. */
  readonly guest: SentenceName;
  /** Of the post's topic; where outsiders are sent to join. */
  readonly topicId: string;
}

/**
 * Acts that are shown at once, sent one after the other, and taken back when they are refused or nobody answers, which is
 * said in a toast. Two of them on their way at once would race each other on the server.
 * @returns what to show, and the function that acts
 */
export function useShownAtOnce<State, Act>(acts: Acts<State, Act>): readonly [State, (act: Act) => void] {
  const { initial, after, send, guest, topicId } = acts;
  const words = useWords();
  const [shown, setShown] = useState(initial);
  const confirmed = useRef(initial);
  const line = useRef<Promise<void>>(Promise.resolve());
  const waiting = useRef(0);

  const confirm = (state: State) => {
    confirmed.current = state;
  };
  const sendOne = async (act: Act) => {
    const answer = await callApi(words, (client) => send(client, act, confirmed.current, confirm));
    if (answer.ok) confirm(answer.value);
    else toast(refused(words, answer, guest, topicId));
    waiting.current -= 1;
    // While more wait, what they will make of it stays on screen.
    if (waiting.current === 0) setShown(confirmed.current);
  };
  const act = (one: Act) => {
    setShown((state) => after(state, one));
    waiting.current += 1;
    line.current = line.current.then(() => sendOne(one));
  };
  return [shown, act];
}

/** What is said of a refusal, with the way on for those who may act once they are inside. */
function refused(words: Words, failure: Failure, guest: SentenceName, topicId: string): ToastMessage {
  const { t } = words;
  const tone = "wrong";
  const join = `/topics/${topicId}/join`;
  if (failure.code === "not_authenticated") {
    const href = `/sign-in?next=${encodeURIComponent(window.location.pathname)}`;
    return { tone, text: t(guest), action: { label: t("nav.signIn"), href } };
  }
  if (failure.code === "not_a_member") {
    return { tone, text: t("post.joinToComment"), action: { label: t("post.joinTopic"), href: join } };
  }
  if (failure.code === "nickname_required") {
    return { tone, text: failure.sentence, action: { label: t("nav.profile"), href: "/profile" } };
  }
  return { tone, text: failure.sentence };
}
