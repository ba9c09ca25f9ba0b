"use client";

import { type ComponentProps, type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { Textarea } from "@/components/ui/field";
import { MentionList, mentionAttributes } from "./mention-list";
import { type MentionQuery, mentionAtEnd, withMention } from "./mention-query";
import { useMentions } from "./use-mentions";

export interface MentionTextareaProps
  extends Omit<ComponentProps<"textarea">, "value" | "onChange" | "onKeyDown" | "ref"> {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Keys that were not meant for the list of members. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  readonly field?: React.RefObject<HTMLTextAreaElement | null>;
  /** Whose members are offered after an @. */
  readonly topicId: string | undefined;
  /** Where the list opens. */
  readonly side: "above" | "below";
}

/** A text field in which an @ offers members of the topic. */
export function MentionTextarea(props: MentionTextareaProps) {
  const { value, onValue, onKeyDown, field, topicId, side, className, ...rest } = props;
  const own = useRef<HTMLTextAreaElement>(null);
  const textarea = field ?? own;
  const [query, setQuery] = useState<MentionQuery | null>(null);
  const caret = useRef<number | null>(null);
  // The caret goes behind the name once the name stands there.
  useLayoutEffect(() => {
    if (caret.current === null) return;
    textarea.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  const look = () => {
    const { current } = textarea;
    const isCaret = current !== null && current.selectionStart === current.selectionEnd;
    const found = isCaret ? mentionAtEnd(current.value.slice(0, current.selectionStart)) : null;
    setQuery((before) => (before?.from === found?.from && before?.typed === found?.typed ? before : found));
  };
  const mentions = useMentions({
    topicId,
    query,
    onChoose: (nickname) => {
      const { current } = textarea;
      if (!current || !query) return;
      const named = withMention(current.value, query, current.selectionStart, nickname);
      caret.current = named.caret;
      onValue(named.text);
      setQuery(null);
      current.focus();
    },
  });
  return (
    <div className="relative min-w-0 flex-1">
      <Textarea
        {...rest}
        {...mentionAttributes(mentions)}
        ref={textarea}
        value={value}
        className={className}
        onChange={(event) => {
          onValue(event.target.value);
          look();
        }}
        onSelect={look}
        onBlur={() => setQuery(null)}
        onKeyDown={(event) => {
          const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
          if (!mentions.onKey(event, isComposing)) onKeyDown?.(event);
        }}
      />
      <MentionList mentions={mentions} side={side} />
    </div>
  );
}
