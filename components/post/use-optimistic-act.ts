"use client";

import { useState } from "react";
import { useWords } from "#words";
import type { Client, Failure } from "@/components/call-api";
import type { ToastMessage } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import type { PlainName, Words } from "@/lib/i18n/words";

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
  readonly guest: PlainName;
  /** Of the post's topic; where outsiders are sent to join. */
  readonly topicId: string;
}

/**
 * Acts on a post that show at once, sent one after the other: two on their way together would race on the server.
 * @returns what to show, and the function that acts
 */
export function useOptimisticAct<State, Act>(acts: Acts<State, Act>): readonly [State, (act: Act) => void] {
  const { after, send, guest, topicId } = acts;
  const words = useWords();
  const [initial] = useState(acts.initial);
  const { shown, act } = useOptimisticState(initial);
  const one = (done: Act) =>
    void act({
      change: (state) => after(state, done),
      send: (client, confirmed, confirm) => send(client, done, confirmed, confirm),
      settled: (state) => () => state,
      toast: (failure) => refused(words, failure, guest, topicId),
    });
  return [shown, one];
}

/** What is said of a refusal, with the way on for those who may act once they are inside. */
function refused(words: Words, failure: Failure, guest: PlainName, topicId: string): ToastMessage {
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
