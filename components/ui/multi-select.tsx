"use client";

import { Check, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { cx } from "./cx";
import { type ControlProps, Input } from "./field";

export interface MultiSelectProps {
  /** Ids from the Field around it. */
  readonly control: ControlProps;
  /** What is chosen, in the order of choosing. */
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** Values that fit what was typed, best first. */
  readonly find: (search: string) => readonly string[];
  /** The name of a value. */
  readonly label: (value: string) => string;
  /** A short mark beside the name, such as a code. */
  readonly mark?: (value: string) => string;
  readonly max: number;
  readonly placeholder: string;
  /** Told what is typed, for values that are looked up elsewhere. */
  readonly onSearch?: (search: string) => void;
  /**
   * What separates values that are typed. With it what is typed may be a value of its own: `find` gives it first, and leaving
   * the field takes it.
   */
  readonly free?: RegExp;
}

/**
 * Several of many, found by typing: a combobox with a list (WAI-ARIA 1.2) and what is chosen above it. Arrows move,
 * Enter takes or gives back, Backspace in an empty field gives back the last, Escape closes the list.
 */
export function MultiSelect(props: MultiSelectProps) {
  const { t } = useWords();
  const { control, values, onChange, max, label, mark, free, onSearch } = props;
  const [search, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [said, setSaid] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = open ? props.find(search) : [];
  const full = values.length >= max;
  // Where anything may be typed, finding nothing is nothing to say.
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
    setSaid(t("picker.removed", { name: label(value), n: values.length - 1, max: max }));
  };
  const toggle = (value: string | undefined) => {
    if (value === undefined) return;
    if (values.includes(value)) return remove(value);
    if (full) return setSaid(t("picker.full", { max: max }));
    onChange([...values, value]);
    setSaid(t("picker.added", { name: label(value), n: values.length + 1, max: max }));
    // Who typed a name has what they wanted; who browses goes on.
    if (search !== "") setOpen(false);
    setSearch("");
    setActive(0);
  };
  /** Takes what was typed as values of their own, each by its best fit. */
  const take = (parts: readonly string[]) => {
    const found = new Set(parts.flatMap((part) => props.find(part)[0] ?? []));
    const added = [...found].filter((value) => !values.includes(value)).slice(0, max - values.length);
    const last = added.at(-1);
    if (last === undefined)
      return full && found.size > 0 ? setSaid(t("picker.full", { max: max })) : undefined;
    onChange([...values, ...added]);
    setSaid(t("picker.added", { name: label(last), n: values.length + added.length, max: max }));
  };
  const type = (text: string) => {
    const parts = free ? text.split(free) : [text];
    take(parts.slice(0, -1));
    setSearch(parts.at(-1) ?? "");
    setActive(0);
    setOpen(true);
  };
  const leave = () => {
    setOpen(false);
    if (!free || search.trim() === "" || full) return;
    take([search]);
    setSearch("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends the composing of a word belongs to the keyboard, not to the list.
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
          placeholder={full ? t("picker.full", { max: max }) : props.placeholder}
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
          // The field keeps the focus, so that typing goes on.
          onMouseDown={(event) => event.preventDefault()}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto overscroll-contain rounded-sheet border bg-sheet p-1 shadow-float"
        >
          {found.map((value, index) => (
            <Option
              key={value}
              id={`${id}-${index}`}
              name={label(value)}
              mark={mark?.(value)}
              chosen={values.includes(value)}
              active={index === shown}
              disabled={full && !values.includes(value)}
              onTake={() => {
                toggle(value);
                input.current?.focus();
              }}
            />
          ))}
          {open && found.length === 0 && !free ? (
            <p className="px-3 py-2 text-soft">{t("picker.none")}</p>
          ) : null}
        </div>
      </div>
      <p className="text-sm text-soft tabular-nums">{t("picker.count", { n: values.length, max: max })}</p>
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly name: string;
  readonly mark: string | undefined;
  readonly chosen: boolean;
  readonly active: boolean;
  readonly disabled: boolean;
  readonly onTake: () => void;
}

function Option({ id, name, mark, chosen, active, disabled, onTake }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox that owns the list handles the keyboard
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      aria-disabled={disabled || undefined}
      onClick={onTake}
      className={cx(
        "tap flex items-center gap-2 rounded-control px-3 py-1.5",
        active && "bg-wash",
        disabled ? "cursor-not-allowed text-soft" : "cursor-pointer hover:bg-wash",
      )}
    >
      <Check className={cx("size-4 shrink-0", chosen ? "text-ink" : "invisible")} aria-hidden />
      <span className="flex-1">{name}</span>
      {mark ? <span className="text-sm text-soft">{mark}</span> : null}
    </div>
  );
}
