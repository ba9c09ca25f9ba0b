"use client";

import Link from "next/link";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Spinner } from "./button";
import { cx } from "./cx";

interface Entry {
  readonly label: string;
  readonly icon?: ReactNode;
  /** A sentence below the label. */
  readonly hint?: string;
}

/** A menu entry: an action, a link, or a disabled entry with a hint that says why. */
export type MenuItem = Entry &
  (
    | {
        readonly onSelect: () => void;
        /** For a toggle: whether it is on. */
        readonly isChosen?: boolean;
      }
    | { readonly href: string }
    | { readonly hint: string; readonly isOff: true }
  );

export interface MenuProps {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly items: readonly MenuItem[];
  /** An action is running; the menu does not open meanwhile. */
  readonly busy?: boolean;
  readonly className?: string;
  /** A grid shows only icons and aligns with the start of the surrounding row, which must be `relative`. */
  readonly layout?: "list" | "grid";
  /** Entries that show only icons, in a row above the others. */
  readonly quick?: readonly MenuItem[];
  /** Arrow keys of a surrounding list reach the button, not Tab. */
  readonly isInList?: boolean;
}

/** A menu button. Arrow keys move, Escape closes the menu and returns the focus. */
export function Menu(props: MenuProps) {
  const { label, trigger, items, busy, className, layout = "list", quick = [], isInList = false } = props;
  const [open, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const entriesOf = () => [...(root.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];

  useEffect(() => {
    const menu = document.getElementById(id);
    if (!open || !menu || !button.current) return;
    place(menu, button.current);
    root.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
    // Show the whole menu, not only the focused entry.
    menu.scrollIntoView({ block: "nearest" });
    const away = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [open, id]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const entries = entriesOf();
    const at = entries.findIndex((entry) => entry.matches(":focus"));
    const go = (index: number) => entries[(index + entries.length) % entries.length]?.focus();
    const sideways = layout === "grid" || entries[at]?.dataset.quick !== undefined ? event.key : "";
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (event.key === "ArrowDown" || sideways === "ArrowRight") go(at + 1);
    else if (event.key === "ArrowUp" || sideways === "ArrowLeft") go(at - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(-1);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={root} className={cx(layout === "list" && "relative", className)}>
      <button
        ref={button}
        type="button"
        aria-label={label}
        title={label}
        tabIndex={isInList ? -1 : undefined}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        onClick={() => setOpen((was) => !was && !busy)}
        className="ease tap inline-flex size-9 items-center justify-center rounded-control text-soft hover:bg-wash hover:text-ink"
      >
        {busy ? <Spinner /> : trigger}
      </button>
      {open ? (
        <div
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={onKeyDown}
          className={cx(
            "rise absolute z-30 mt-1 data-[side=above]:top-auto data-[side=above]:bottom-full data-[side=above]:mb-1 text-base text-ink rounded-sheet border border-line bg-sheet p-1 shadow-float",
            layout === "grid"
              ? "start-0 top-full grid w-max grid-cols-3 data-[align=end]:start-auto data-[align=end]:end-0 sm:grid-cols-6"
              : cx("end-0 w-max min-w-44", quick.length === 0 && "max-w-64"),
          )}
        >
          {quick.length > 0 ? (
            <div role="presentation" className="mb-1 flex border-b border-line pb-1">
              {quick.map((item) => (
                <Item key={item.label} item={item} layout="grid" isQuick onClose={close} />
              ))}
            </div>
          ) : null}
          {items.map((item) => (
            <Item key={item.label} item={item} layout={layout} onClose={close} />
          ))}
        </div>
      ) : null}
    </div>
  );
}

/**
 * Opens a menu above its button where there is no room below, as above a phone's bottom bar, and aligns it with the end
 * of its row where it would leave the page.
 */
function place(menu: HTMLElement, button: HTMLElement): void {
  if (menu.getBoundingClientRect().right > document.documentElement.clientWidth) menu.dataset.align = "end";
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  const { height, bottom } = menu.getBoundingClientRect();
  const around = scrolledAround(menu)?.getBoundingClientRect();
  const end = Math.min(innerHeight - Number.parseFloat(scrollPaddingBottom), around?.bottom ?? innerHeight);
  const start = Math.max(Number.parseFloat(scrollPaddingTop), around?.top ?? 0);
  const isCut = bottom > end;
  const fits = button.getBoundingClientRect().top - height > start;
  if (isCut && fits) menu.dataset.side = "above";
}

/** Returns the nearest element around this one that scrolls, and so cuts it off. */
function scrolledAround(element: HTMLElement): HTMLElement | null {
  for (let around = element.parentElement; around; around = around.parentElement) {
    const { overflowY } = getComputedStyle(around);
    if (overflowY === "auto" || overflowY === "scroll") return around;
  }
  return null;
}

interface ItemProps {
  readonly item: MenuItem;
  readonly layout: "list" | "grid";
  readonly isQuick?: boolean;
  readonly onClose: () => void;
}

function Item({ item, layout, isQuick = false, onClose }: ItemProps) {
  const shape = cx(
    "tap rounded-control hover:bg-wash focus:bg-wash focus-visible:-outline-offset-2",
    layout === "grid"
      ? "inline-flex size-11 items-center justify-center aria-checked:bg-sea-wash"
      : "menu-entry",
  );
  const inside =
    layout === "grid" ? (
      item.icon
    ) : (
      <>
        {item.icon}
        <span>
          {item.label}
          {item.hint ? <span className="block text-sm text-soft">{item.hint}</span> : null}
        </span>
      </>
    );
  if ("href" in item) {
    return (
      <Link href={item.href} role="menuitem" tabIndex={-1} onClick={onClose} className={shape}>
        {inside}
      </Link>
    );
  }
  if ("isOff" in item) {
    return (
      <button type="button" role="menuitem" tabIndex={-1} aria-disabled="true" className={shape}>
        {inside}
      </button>
    );
  }
  const isCheckbox = item.isChosen !== undefined;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: with aria-checked, the role is menuitemcheckbox
    <button
      type="button"
      role={isCheckbox ? "menuitemcheckbox" : "menuitem"}
      aria-checked={item.isChosen}
      aria-label={layout === "grid" ? item.label : undefined}
      title={layout === "grid" ? item.label : undefined}
      tabIndex={-1}
      data-quick={isQuick ? "" : undefined}
      onClick={() => {
        onClose();
        item.onSelect();
      }}
      className={shape}
    >
      {inside}
    </button>
  );
}
