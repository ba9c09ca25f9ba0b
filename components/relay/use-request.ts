"use client";

import { useCallback, useEffect, useState } from "react";
import { useWords } from "#words";
import { ApiError, api, contract, sentence } from "@/components/api";
import type { ClientInput, ResponseBody } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";

type Asked = ResponseBody<typeof contract.auth.createProofRequest>;
type Polled = ResponseBody<typeof contract.auth.pollProofRequest>;

/** The proof request for the phone; without a circuit it signs this device in. */
export type Ask = ClientInput<typeof contract.auth.createProofRequest>;
/** A completed request: this device is signed in, or has a proof to hand in. */
export type Completed = Extract<Polled, { readonly status: "completed" }>;

export type RequestState =
  | { readonly kind: "asking" }
  | { readonly kind: "waiting"; readonly asked: Asked; readonly secondsLeft: number }
  /** The phone proved this account; this device is not signed in yet. */
  | { readonly kind: "found"; readonly asked: Asked; readonly nickname: string }
  | { readonly kind: "done"; readonly completed: Completed }
  | { readonly kind: "ran-out" }
  | { readonly kind: "failed"; readonly message: string };

const POLL_MS = 2000;

/** Requests a proof from another device and polls the request to its end. `again` makes a new request. */
export function useProofRequest(ask: Ask): {
  readonly state: RequestState;
  readonly again: () => void;
  /** Signs this device in as the found account. */
  readonly confirm: (asked: Asked) => Promise<void>;
} {
  const words = useWords();
  const [state, setState] = useState<RequestState>({ kind: "asking" });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round makes a new request; `ask` does not change
  useEffect(() => {
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (next: RequestState) => {
      if (!gone) setState(next);
    };
    const follow = async (asked: Asked) => {
      const next = await look(words, asked, ask.circuitType ? "proof" : "look");
      if (gone) return;
      show(next);
      if (next.kind === "waiting") timer = setTimeout(() => void follow(asked), POLL_MS);
    };
    const start = async () => {
      show({ kind: "asking" });
      try {
        const asked = await api.call(contract.auth.createProofRequest, ask);
        show({ kind: "waiting", asked, secondsLeft: asked.expiresIn });
        timer = setTimeout(() => void follow(asked), POLL_MS);
      } catch (error) {
        show({ kind: "failed", message: sentence(words, error) });
      }
    };
    void start();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [round]);
  const again = useCallback(() => setRound((n) => n + 1), []);
  const confirm = async (asked: Asked) => setState(await begin(words, asked));
  return { state, again, confirm };
}

async function begin(words: Words, asked: Asked): Promise<RequestState> {
  try {
    const answer = await api.call(contract.auth.pollProofRequest, { requestId: asked.requestId });
    return answer.status === "completed" ? { kind: "done", completed: answer } : { kind: "ran-out" };
  } catch (error) {
    return { kind: "failed", message: sentence(words, error) };
  }
}

async function look(words: Words, asked: Asked, mode: "proof" | "look"): Promise<RequestState> {
  try {
    const answer = await api.call(contract.auth.pollProofRequest, { requestId: asked.requestId, mode });
    switch (answer.status) {
      case "pending":
        return { kind: "waiting", asked, secondsLeft: answer.expiresIn };
      case "failed":
        return { kind: "failed", message: answer.error };
      case "completed":
        return "nickname" in answer
          ? { kind: "found", asked, nickname: answer.nickname }
          : { kind: "done", completed: answer };
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "proof_request_unknown") return { kind: "ran-out" };
    // The request stays open during a short network failure.
    const passing = error.code === "network" || error.code === "rate_limited" || error.status >= 500;
    return passing
      ? { kind: "waiting", asked, secondsLeft: asked.expiresIn }
      : { kind: "failed", message: sentence(words, error) };
  }
}
