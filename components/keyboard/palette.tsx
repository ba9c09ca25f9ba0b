"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { reader } from "@/components/offline/state";
import { cx } from "@/components/ui/cx";
import { Dialog } from "@/components/ui/dialog";
import { Input } from "@/components/ui/field";
import type { TopicListItem } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { choicesOf, matching } from "./choices";
import type { OverlayProps } from "./keys";

/** Goes to a page or topic by a few letters of its name, or searches for them. */
export function Palette({ onClose, show }: OverlayProps) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const [topics, setTopics] = useState<readonly TopicListItem[]>([]);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // The dialog, which opens before, focuses its first button.
  useEffect(() => field.current?.focus(), []);
  const [isGuest] = useState(() => reader() === null);
  useEffect(() => {
    if (isGuest) return;
    void callApi(words, ({ api, contract }) => api.call(contract.topics.list, { limit: 100 })).then(
      (answer) => answer.ok && setTopics(answer.value.topics),
    );
  }, [words, isGuest]);
  const found = matching(
    choicesOf(words, { isGuest, topics }),
    typed,
    t("shortcuts.searchFor", { q: typed.trim() }),
  );
  const shown = Math.min(active, found.length - 1);
  useEffect(() => {
    document.getElementById(`${id}-${shown}`)?.scrollIntoView({ block: "nearest" });
  }, [id, shown]);

  const choose = (index: number) => {
    const choice = found[index];
    if (!choice) return;
    if (choice.href === undefined) return show("sheet");
    router.push(choice.href);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // In an input method, Enter ends the composition.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") setActive((shown + 1) % found.length);
    else if (event.key === "ArrowUp") setActive((shown + found.length - 1) % found.length);
    else if (event.key === "Enter") choose(shown);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog open onClose={onClose} title={t("shortcuts.palette")}>
      <Input
        ref={field}
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={`${id}-${shown}`}
        aria-label={t("shortcuts.field")}
        placeholder={t("shortcuts.field")}
        autoComplete="off"
        spellCheck={false}
        maxLength={LIMITS.search}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t("shortcuts.list")}
        // Keeps the focus in the field.
        onMouseDown={(event) => event.preventDefault()}
        className="-mx-2 max-h-[50dvh] overflow-y-auto overscroll-contain"
      >
        {found.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox that owns the list handles the keyboard
          <div
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === shown}
            onClick={() => choose(index)}
            className={cx(
              "tap flex cursor-pointer items-baseline justify-between gap-3 rounded-control px-3 py-2 hover:bg-wash",
              index === shown && "bg-wash",
            )}
          >
            <span className="min-w-0 truncate" dir="auto">
              {choice.label}
            </span>
            <span className="shrink-0 text-sm text-soft">{choice.kind}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
