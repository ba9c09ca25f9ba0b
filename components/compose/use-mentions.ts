"use client";

import { type KeyboardEvent as ReactKeyboardEvent, useId, useState } from "react";
import { TYPED_MENTION } from "@/lib/contract/limits";
import type { Member } from "@/lib/contract/members";
import { useLookup } from "./use-lookup";

/** Members offered at once. */
const MAX_OFFERED = 8;

export interface MentionQuery {
  /** Beginning of the nickname, perhaps empty. */
  readonly typed: string;
  /** Index of the @ in the text. */
  readonly from: number;
}

/** Returns the mention being typed at the end of a text, which is where the caret is; null when there is none. */
export function mentionAtEnd(before: string): MentionQuery | null {
  const found = TYPED_MENTION.exec(before);
  return found ? { typed: found[1] ?? "", from: found.index } : null;
}

/** Whether two queries are the same mention in the same state. */
export function isSameQuery(one: MentionQuery | null, other: MentionQuery | null): boolean {
  return one?.from === other?.from && one?.typed === other?.typed;
}

/** Completes a mention in a text, with a space behind it. @returns the text, and where the caret goes */
export function withMention(
  text: string,
  { from }: MentionQuery,
  caret: number,
  nickname: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(caret);
  const space = rest.startsWith(" ") ? "" : " ";
  return { text: `${text.slice(0, from)}@${nickname}${space}${rest}`, caret: from + nickname.length + 2 };
}

type Key = Pick<KeyboardEvent, "key" | "preventDefault"> | ReactKeyboardEvent;

export interface Mentions {
  /** Members whose nickname starts with what was typed; empty when no mention is being typed. */
  readonly members: readonly Member[];
  /** Index of the member that Enter chooses. */
  readonly active: number;
  /** Element id of the list; `optionId` has those of its options. */
  readonly listId: string;
  readonly optionId: (index: number) => string;
  readonly choose: (nickname: string) => void;
  /** Handles a key. @returns whether the list used it */
  readonly onKey: (event: Key, isComposing: boolean) => boolean;
}

export interface MentionOptions {
  /** The topic whose members are offered; without it the list stays closed. */
  readonly topicId: string | undefined;
  /** The mention being typed at the caret. */
  readonly query: MentionQuery | null;
  readonly onChoose: (nickname: string) => void;
}

/** Completes mentions as a WAI-ARIA listbox: arrows move, Enter and Tab choose, Escape closes until the next mention. */
export function useMentions({ topicId, query, onChoose }: MentionOptions): Mentions {
  const listId = useId();
  const [moved, setMoved] = useState({ key: "", index: 0 });
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const isOpen = Boolean(topicId) && query !== null && closedAt !== query.from;
  if (query === null && closedAt !== null) setClosedAt(null);
  const members = useLookup<Member>(isOpen ? query.typed.toLowerCase() : null, async (q, signal) => {
    const { api, contract } = await import("@/components/api");
    const input = { topicId: topicId ?? "", limit: MAX_OFFERED, ...(q ? { q } : {}) };
    return (await api.call(contract.members.list, input, { signal })).members.slice(0, MAX_OFFERED);
  });
  // The last result may be for an earlier prefix.
  const matching = isOpen
    ? members.filter(({ nickname }) => nickname.toLowerCase().startsWith(query.typed.toLowerCase()))
    : [];
  const typed = query?.typed ?? "";
  const active = moved.key === typed ? Math.min(moved.index, Math.max(0, matching.length - 1)) : 0;
  const onKey = (event: Key, isComposing: boolean): boolean => {
    // While an input method composes, Enter confirms the syllable.
    if (matching.length === 0 || isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setMoved({ key: typed, index: (active + step + matching.length) % matching.length });
    else if (event.key === "Enter" || event.key === "Tab") onChoose(matching[active]?.nickname ?? "");
    else if (event.key === "Escape") setClosedAt(query?.from ?? null);
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    members: matching,
    active,
    listId,
    optionId: (index) => `${listId}-${index}`,
    choose: onChoose,
    onKey,
  };
}
