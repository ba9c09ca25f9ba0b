"use client";

import { useLayoutEffect, useState, useSyncExternalStore } from "react";
import { useWords } from "#words";
import { type ApiResult, type Client, callApi, type Failure } from "@/components/call-api";
import { type ToastMessage, toast } from "@/components/ui/toast";

type Change<State> = (state: State) => State;

interface Settling<State, Answer> {
  /** Key of what the action changes. Actions with the same key are sent one after the other. */
  readonly on?: string;
  /** Change to show at once. */
  readonly change: Change<State>;
  /** Change to apply instead once the server has accepted. */
  readonly settled?: (answer: Answer) => Change<State>;
  /** Change to apply after a refusal; none by default. */
  readonly refused?: (failure: Failure) => Change<State>;
}

/** A state with actions that show before the server has answered. A refused action is undone. */
export class OptimisticStore<State> {
  #base: State;
  /** The last state from the server. */
  #confirmed: State;
  #shown: State;
  /** Actions in order, from the first without an answer. */
  #acts: readonly { change: Change<State>; isSettled: boolean }[] = [];
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #listeners = new Set<() => void>();

  constructor(base: State) {
    this.#base = base;
    this.#confirmed = base;
    this.#shown = base;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly shown = () => this.#shown;

  /** Replaces the state with a newer one from the server, which contains every answered action. */
  rebase(base: State): void {
    if (base === this.#base) return;
    this.#base = base;
    this.#confirmed = base;
    this.#acts = this.#acts.filter(({ isSettled }) => !isSettled);
    this.#show();
  }

  /** Applies a change that the server confirmed outside of an action. */
  readonly confirm = (change: Change<State>) => {
    this.#confirmed = change(this.#confirmed);
    this.#show();
  };

  /** Shows an action and sends it. @param send gets the last confirmed state; confirms one after each of many calls */
  act<Answer>(
    { on = "", change, settled = () => change, refused = () => same }: Settling<State, Answer>,
    send: (confirmed: State, confirm: (state: State) => void) => Promise<ApiResult<Answer>>,
  ): Promise<ApiResult<Answer>> {
    const one = { change, isSettled: false };
    this.#acts = [...this.#acts, one];
    this.#show();
    const sent = (this.#queues.get(on) ?? Promise.resolve()).then(async () => {
      const result = await send(this.#confirmed, (state) => this.confirm(() => state));
      one.change = result.ok ? settled(result.value) : refused(result);
      one.isSettled = true;
      const open = this.#acts.findIndex(({ isSettled }) => !isSettled);
      const done = open < 0 ? this.#acts : this.#acts.slice(0, open);
      this.#confirmed = done.reduce((state, act) => act.change(state), this.#confirmed);
      this.#acts = this.#acts.slice(done.length);
      this.#show();
      return result;
    });
    this.#queues.set(on, sent);
    return sent;
  }

  #show(): void {
    this.#shown = this.#acts.reduce((state, { change }) => change(state), this.#confirmed);
    for (const listener of this.#listeners) listener();
  }
}

function wrong({ sentence }: Failure): ToastMessage {
  return { text: sentence, tone: "wrong" };
}

function same<State>(state: State): State {
  return state;
}

interface OptimisticAct<State, Answer> extends Settling<State, Answer> {
  readonly send: (client: Client, confirmed: State, confirm: (state: State) => void) => Promise<Answer>;
  /** Toast for a refusal; null for none. */
  readonly toast?: (failure: Failure) => ToastMessage | null;
}

/**
 * Keeps a state whose actions show before the server has answered; a failure undoes the action and shows a toast. Not
 * React's useOptimistic: its transition would block navigation until the server has answered.
 * @param base the state that the server rendered; a newer one replaces the confirmed state
 */
export function useOptimisticState<State>(base: State) {
  const words = useWords();
  const [store] = useState(() => new OptimisticStore(base));
  useLayoutEffect(() => store.rebase(base), [store, base]);
  const shown = useSyncExternalStore(store.subscribe, store.shown, store.shown);
  const act = async <Answer>(one: OptimisticAct<State, Answer>): Promise<ApiResult<Answer>> => {
    const { send, toast: messageOf = wrong } = one;
    const result = await store.act(one, (...known) => callApi(words, (client) => send(client, ...known)));
    const message = result.ok ? null : messageOf(result);
    if (message) toast(message);
    return result;
  };
  return { shown, act, confirm: store.confirm };
}
