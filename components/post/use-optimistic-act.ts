"use client";

import { useState } from "react";
import { useWords } from "#words";
import type { Client, Failure } from "@/components/call-api";
import type { ToastMessage } from "@/components/ui/toast";
import { useOptimisticState } from "@/components/use-optimistic";
import type { PlainName, Words } from "@/lib/i18n/words";

export interface Acts<State, Act> {
  /** The state that the server rendered. Later actions apply on top of it until the page reloads. */
  readonly initial: State;
  /** Returns the state after an action, if the server accepts it. */
  readonly after: (shown: State, act: Act) => State;
  /** Sends an action; see `OptimisticStore.act`. @returns the new state from the server */
  readonly send: (client: Client, act: Act, confirmed: State, confirm: (to: State) => void) => Promise<State>;
  /** Message for guests. */
  readonly guest: PlainName;
  /** The post's topic, which others are invited to join. */
  readonly topicId: string;
}

/** Keeps a state whose actions show at once, and sends them one after the other: they would race on the server. */
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

/** Describes a refusal, with a link for readers who may act after they sign in, join or choose a nickname. */
function refused({ t }: Words, failure: Failure, guest: PlainName, topicId: string): ToastMessage {
  const here = encodeURIComponent(window.location.pathname);
  const join = { label: t("common.joinTopic"), href: `/topics/${topicId}/join` };
  const offers: Readonly<Partial<Record<string, Omit<ToastMessage, "tone">>>> = {
    not_authenticated: { text: t(guest), action: { label: t("nav.signIn"), href: `/sign-in?next=${here}` } },
    not_a_member: { text: t("post.joinToComment"), action: join },
    nickname_required: { text: failure.sentence, action: { label: t("nav.profile"), href: "/profile" } },
  };
  return { tone: "wrong", ...(offers[failure.code ?? ""] ?? { text: failure.sentence }) };
}
