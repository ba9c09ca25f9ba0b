"use client";

import { useEffect, useRef } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { Avatar } from "@/components/ui/identicon";
import type { Mentions } from "./use-mentions";

export interface MentionListProps {
  readonly mentions: Mentions;
  /** Where it opens, seen from the field; `caret` follows the caret where the browser can. */
  readonly side: "above" | "below" | "caret";
}

const sides = {
  above: "inset-x-0 bottom-full mb-1",
  below: "inset-x-0 top-full mt-1",
  caret: "mention-list inset-x-0 top-full",
} as const;

/** Members who may be meant. The field keeps the focus and says which of them is marked. */
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
          // The field keeps the focus, so that typing goes on.
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

/** What the field says of its list. */
export function mentionAttributes({ members, active, listId, optionId }: Mentions) {
  const isOpen = members.length > 0;
  return {
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    "aria-controls": isOpen ? listId : undefined,
    "aria-activedescendant": isOpen ? optionId(active) : undefined,
  } as const;
}
