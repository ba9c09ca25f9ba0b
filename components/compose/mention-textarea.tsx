"use client";

import { type ComponentProps, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { Textarea } from "@/components/ui/field";
import { Avatar } from "@/components/ui/identicon";
import {
  isSameQuery,
  type MentionQuery,
  type Mentions,
  mentionAtEnd,
  useMentions,
  withMention,
} from "./use-mentions";

export interface MentionTextareaProps
  extends Omit<ComponentProps<"textarea">, "value" | "onChange" | "onKeyDown" | "ref"> {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Receives the keys that the list of members does not use. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  readonly field?: React.RefObject<HTMLTextAreaElement | null>;
  /** The topic whose members are offered after an @. */
  readonly topicId: string | undefined;
  readonly side: "above" | "below";
}

/** A text field that offers members of the topic after an @. */
export function MentionTextarea(props: MentionTextareaProps) {
  const { value, onValue, onKeyDown, field, topicId, side, className, ...rest } = props;
  const own = useRef<HTMLTextAreaElement>(null);
  const textarea = field ?? own;
  const [query, setQuery] = useState<MentionQuery | null>(null);
  const caret = useRef<number | null>(null);
  // The caret moves behind the mention once React has rendered it.
  useLayoutEffect(() => {
    if (caret.current === null) return;
    textarea.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  const look = () => {
    const { current } = textarea;
    const isCaret = current !== null && current.selectionStart === current.selectionEnd;
    const found = isCaret ? mentionAtEnd(current.value.slice(0, current.selectionStart)) : null;
    setQuery((before) => (isSameQuery(before, found) ? before : found));
  };
  const mentions = useMentions({
    topicId,
    query,
    onChoose: (nickname) => {
      const { current } = textarea;
      if (!current || !query) return;
      const completed = withMention(current.value, query, current.selectionStart, nickname);
      caret.current = completed.caret;
      onValue(completed.text);
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

export interface MentionListProps {
  readonly mentions: Mentions;
  /** Where the list opens; `caret` follows the caret where the browser supports it. */
  readonly side: "above" | "below" | "caret";
}

const sides = {
  above: "inset-x-0 bottom-full mb-1",
  below: "inset-x-0 top-full mt-1",
  caret: "mention-list inset-x-0 top-full",
} as const;

/** Shows the members to choose from. The field keeps the focus and points to the active one. */
export function MentionList({ mentions, side }: MentionListProps) {
  const { t } = useWords();
  const { members, active, listId, optionId, choose } = mentions;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <>
      {members.length > 0 ? (
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-label={t("mention.list")}
          // Pressing an option must not take the focus from the field.
          onMouseDown={(event) => event.preventDefault()}
          className={cx(
            "absolute z-30 max-h-64 max-w-sm overflow-y-auto overscroll-contain rounded-sheet border bg-sheet p-1 shadow-float",
            sides[side],
          )}
        >
          {members.map(({ userId, nickname, profileImage }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field that owns the list handles the keyboard
            <div
              key={userId}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onClick={() => choose(nickname)}
              className={cx(
                "tap flex cursor-pointer items-center gap-2 rounded-control px-3 py-1.5 hover:bg-wash",
                index === active && "bg-wash",
              )}
            >
              <Avatar userId={userId} image={profileImage} size="xs" />
              <span className="min-w-0 truncate">@{nickname}</span>
            </div>
          ))}
        </div>
      ) : null}
      <p role="status" className="sr-only">
        {members.length > 0 ? t("mention.found", { n: members.length }) : ""}
      </p>
    </>
  );
}

/** Returns the ARIA attributes that tie a field to its list. */
function mentionAttributes({ members, active, listId, optionId }: Mentions) {
  const isOpen = members.length > 0;
  return {
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    "aria-controls": isOpen ? listId : undefined,
    "aria-activedescendant": isOpen ? optionId(active) : undefined,
  } as const;
}
