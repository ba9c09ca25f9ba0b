"use client";

import { useLayoutEffect, useState, useSyncExternalStore } from "react";
import { useWords } from "#words";
import { type ApiResult, type Client, callApi, type Failure } from "@/components/call-api";
import { type ToastMessage, toast } from "@/components/ui/toast";

/** What something makes of a state. */
type Change<State> = (state: State) => State;

interface Settling<State, Answer> {
  /** Acts on the same thing are sent one after the other; those on different things do not wait for each other. */
  readonly on?: string;
  /** What the act makes of what is shown, if the server accepts it. */
  readonly change: Change<State>;
  /** What the server's answer makes of the state instead. */
  readonly settled?: (answer: Answer) => Change<State>;
  /** What a refusal leaves of the act; nothing unless given. */
  readonly refused?: (failure: Failure) => Change<State>;
}

/**
 * A state with acts that show before the server has answered. A refused act is taken back; once all are answered, what
 * shows is what the server said.
 */
export class OptimisticStore<State> {
  #base: State;
  /** What the server last said. */
  #confirmed: State;
  #shown: State;
  /** Acts in their order, from the first that is not answered. */
  #acts: readonly { change: Change<State>; isSettled: boolean }[] = [];
  readonly #lines = new Map<string, Promise<unknown>>();
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

  /** Takes a newer state, which has everything the server has answered. */
  rebase(base: State): void {
    if (base === this.#base) return;
    this.#base = base;
    this.#confirmed = base;
    this.#acts = this.#acts.filter(({ isSettled }) => !isSettled);
    this.#show();
  }

  /** Takes what the server said outside an act. */
  readonly confirm = (change: Change<State>) => {
    this.#confirmed = change(this.#confirmed);
    this.#show();
  };

  /**
   * Shows an act and sends it.
   * @param send gets what the server last said; an act of several calls confirms what each has made of it
   */
  act<Answer>(
    { on = "", change, settled = () => change, refused = () => same }: Settling<State, Answer>,
    send: (confirmed: State, confirm: (state: State) => void) => Promise<ApiResult<Answer>>,
  ): Promise<ApiResult<Answer>> {
    const one = { change, isSettled: false };
    this.#acts = [...this.#acts, one];
    this.#show();
    const sent = (this.#lines.get(on) ?? Promise.resolve()).then(async () => {
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
    this.#lines.set(on, sent);
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

export interface OptimisticAct<State, Answer> extends Settling<State, Answer> {
  readonly send: (client: Client, confirmed: State, confirm: (state: State) => void) => Promise<Answer>;
  /** How a refusal is told; null where nothing needs to be, or the caller tells it. */
  readonly toast?: (failure: Failure) => ToastMessage | null;
}

/**
 * Acts that show before the server has answered, are taken back when it refuses or nobody answers, and say why. React's
 * own useOptimistic lasts as long as its transition, and a navigation that starts meanwhile waits for the transition's
 * end: a slow answer would hold every link back.
 * @param base as the server last gave it; a newer one replaces what was answered since
 */
export function useOptimisticState<State>(base: State) {
  const words = useWords();
  const [store] = useState(() => new OptimisticStore(base));
  useLayoutEffect(() => store.rebase(base), [store, base]);
  const shown = useSyncExternalStore(store.subscribe, store.shown, store.shown);
  const act = async <Answer>(one: OptimisticAct<State, Answer>): Promise<ApiResult<Answer>> => {
    const { send, toast: told = wrong } = one;
    const result = await store.act(one, (...known) => callApi(words, (client) => send(client, ...known)));
    const message = result.ok ? null : told(result);
    if (message) toast(message);
    return result;
  };
  return { shown, act, confirm: store.confirm };
}
