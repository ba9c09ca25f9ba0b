"use client";

import { Check, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { cx } from "./cx";
import { type ControlProps, Input } from "./field";

export interface MultiSelectProps {
  /** Ids from the Field around it. */
  readonly control: ControlProps;
  /** The chosen values, in the order of choosing. */
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** Returns the values that match a search, best first. */
  readonly find: (search: string) => readonly string[];
  readonly label: (value: string) => string;
  /** Returns a short label beside the name, such as a code. */
  readonly mark?: (value: string) => string;
  readonly max: number;
  readonly placeholder: string;
  /** Called with the typed text, for values that load asynchronously. */
  readonly onSearch?: (search: string) => void;
  /** Separator of typed values, which may be new: `find` returns the text first, and leaving the field adds it. */
  readonly free?: RegExp;
}

/**
 * Chooses several values with a combobox (WAI-ARIA 1.2); the chosen ones show above it. Arrow keys move, Enter adds or
 * removes, Backspace in an empty field removes the last value, Escape closes the list.
 */
export function MultiSelect(props: MultiSelectProps) {
  const { t } = useWords();
  const { control, values, onChange, max, label, mark, free, onSearch } = props;
  const [search, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [announced, setAnnounced] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = open ? props.find(search) : [];
  const full = values.length >= max;
  // Where new values are allowed, an empty result needs no message.
  const isShown = open && (free === undefined || found.length > 0);
  const shown = Math.min(active, Math.max(0, found.length - 1));

  useEffect(() => {
    if (open) list.current?.children[shown]?.scrollIntoView({ block: "nearest" });
  }, [open, shown]);

  const setSearch = (text: string) => {
    setText(text);
    onSearch?.(text);
  };
  const remove = (value: string) => {
    onChange(values.filter((one) => one !== value));
    setAnnounced(t("picker.removed", { name: label(value), n: values.length - 1, max }));
  };
  const toggle = (value: string | undefined) => {
    if (value === undefined) return;
    if (values.includes(value)) return remove(value);
    if (full) return setAnnounced(t("picker.full", { max }));
    onChange([...values, value]);
    setAnnounced(t("picker.added", { name: label(value), n: values.length + 1, max }));
    // After a search the list closes; while browsing it stays open.
    if (search !== "") setOpen(false);
    setSearch("");
    setActive(0);
  };
  /** Adds the best match of each typed part. */
  const add = (parts: readonly string[]) => {
    const found = new Set(parts.flatMap((part) => props.find(part)[0] ?? []));
    const added = [...found].filter((value) => !values.includes(value)).slice(0, max - values.length);
    const last = added.at(-1);
    if (last === undefined)
      return full && found.size > 0 ? setAnnounced(t("picker.full", { max })) : undefined;
    onChange([...values, ...added]);
    setAnnounced(t("picker.added", { name: label(last), n: values.length + added.length, max }));
  };
  const type = (text: string) => {
    const parts = free ? text.split(free) : [text];
    add(parts.slice(0, -1));
    setSearch(parts.at(-1) ?? "");
    setActive(0);
    setOpen(true);
  };
  const leave = () => {
    setOpen(false);
    if (!free || search.trim() === "" || full) return;
    add([search]);
    setSearch("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // In an input method, Enter ends the composition.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Backspace" && search === "" && values.length > 0) return remove(values.at(-1) ?? "");
    if (event.key === "Escape" && open) setOpen(false);
    else if (event.key === "Enter" && open) toggle(found[shown]);
    else if (event.key === "ArrowDown") {
      setActive(open ? Math.min(shown + 1, found.length - 1) : 0);
      setOpen(true);
    } else if (event.key === "ArrowUp" && open) setActive(Math.max(shown - 1, 0));
    else return;
    event.preventDefault();
  };

  return (
    <div className="grid gap-2">
      {values.length > 0 ? (
        <ul aria-label={t("picker.chosen")} className="flex flex-wrap gap-2">
          {values.map((value) => (
            <li key={value}>
              <button
                type="button"
                aria-label={t("picker.remove", { name: label(value) })}
                onClick={() => {
                  remove(value);
                  input.current?.focus();
                }}
                className="ease tap inline-flex min-h-8 items-center gap-1.5 rounded-full border bg-sheet px-3 text-sm hover:border-line-strong"
              >
                {label(value)}
                <X className="size-3.5 text-soft" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="relative">
        <Input
          {...control}
          ref={input}
          role="combobox"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && found.length > 0 ? `${id}-${shown}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={full ? t("picker.full", { max }) : props.placeholder}
          value={search}
          onClick={() => setOpen(true)}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={leave}
        />
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-multiselectable="true"
          aria-label={t("picker.list")}
          hidden={!isShown}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto overscroll-contain rounded-sheet border bg-sheet p-1 shadow-float"
        >
          {found.map((value, index) => {
            const isChosen = values.includes(value);
            const isOff = full && !isChosen;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox that owns the list handles the keyboard
              <div
                key={value}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={isChosen}
                aria-disabled={isOff || undefined}
                onClick={() => {
                  toggle(value);
                  input.current?.focus();
                }}
                className={cx(
                  "tap flex items-center gap-2 rounded-control px-3 py-1.5",
                  index === shown && "bg-wash",
                  isOff ? "cursor-not-allowed text-soft" : "cursor-pointer hover:bg-wash",
                )}
              >
                <Check className={cx("size-4 shrink-0", isChosen ? "text-ink" : "invisible")} aria-hidden />
                <span className="flex-1">{label(value)}</span>
                {mark ? <span className="text-sm text-soft">{mark(value)}</span> : null}
              </div>
            );
          })}
          {open && found.length === 0 && !free ? (
            <p className="px-3 py-2 text-soft">{t("picker.none")}</p>
          ) : null}
        </div>
      </div>
      <p className="text-sm text-soft tabular-nums">{t("picker.count", { n: values.length, max })}</p>
      <p role="status" className="sr-only">
        {announced}
      </p>
    </div>
  );
}
