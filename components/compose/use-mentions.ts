"use client";

import { type KeyboardEvent as ReactKeyboardEvent, useId, useState } from "react";
import type { Member } from "@/lib/contract/members";
import type { MentionQuery } from "./mention-query";
import { useLookup } from "./use-lookup";

/** Most members that are offered at once. */
const SHOWN = 8;

type Key = Pick<KeyboardEvent, "key" | "preventDefault"> | ReactKeyboardEvent;

export interface Mentions {
  /** Members whose nickname begins so; empty when nobody is being named. */
  readonly members: readonly Member[];
  /** Index of the one that Enter takes. */
  readonly active: number;
  /** Id of the list; its options have the ids of `optionId`. */
  readonly listId: string;
  readonly optionId: (index: number) => string;
  readonly choose: (nickname: string) => void;
  /** Moves, takes and closes. @returns whether the key was meant for the list */
  readonly onKey: (event: Key, isComposing: boolean) => boolean;
}

export interface MentionOptions {
  /** Whose members are offered; without it nobody is. */
  readonly topicId: string | undefined;
  /** Who is being named where the caret stands. */
  readonly query: MentionQuery | null;
  /** Puts a nickname into the text. */
  readonly onChoose: (nickname: string) => void;
}

/**
 * Completes names while somebody types (WAI-ARIA's list with aria-activedescendant): the same for the composer, comments and
 * the chat. Arrows move, Enter and Tab take, Escape closes until another name is begun.
 */
export function useMentions({ topicId, query, onChoose }: MentionOptions): Mentions {
  const listId = useId();
  const [moved, setMoved] = useState({ key: "", index: 0 });
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const isOpen = Boolean(topicId) && query !== null && closedAt !== query.from;
  if (query === null && closedAt !== null) setClosedAt(null);
  const members = useLookup<Member>(isOpen ? query.typed.toLowerCase() : null, async (q, signal) => {
    const { api, contract } = await import("@/components/api");
    const input = { topicId: topicId ?? "", limit: SHOWN, ...(q ? { q } : {}) };
    return (await api.call(contract.members.list, input, { signal })).members.slice(0, SHOWN);
  });
  // What was found for an earlier beginning does not fit any more.
  const fitting = isOpen
    ? members.filter(({ nickname }) => nickname.toLowerCase().startsWith(query.typed.toLowerCase()))
    : [];
  const typed = query?.typed ?? "";
  const active = moved.key === typed ? Math.min(moved.index, Math.max(0, fitting.length - 1)) : 0;
  const onKey = (event: Key, isComposing: boolean): boolean => {
    // Enter that ends the composing of a syllable belongs to the keyboard.
    if (fitting.length === 0 || isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setMoved({ key: typed, index: (active + step + fitting.length) % fitting.length });
    else if (event.key === "Enter" || event.key === "Tab") onChoose(fitting[active]?.nickname ?? "");
    else if (event.key === "Escape") setClosedAt(query?.from ?? null);
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    members: fitting,
    active,
    listId,
    optionId: (index) => `${listId}-${index}`,
    choose: onChoose,
    onKey,
  };
}
