"use client";

import { useRouter } from "next/navigation";
import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from "react";
import { act } from "./acts";
import { keysOff, type Overlay, type OverlayProps } from "./keys";

/** Elements in which keys type. */
const TYPING = "input, textarea, select, dialog, [contenteditable], [role=menu], [role=listbox]";

/**
 * Keyboard shortcuts of every page. Elements name their own key in `aria-keyshortcuts`. Dialogs come with the first of
 * them.
 */
export function PageKeys() {
  const router = useRouter();
  const [Shown, setShown] = useState<ComponentType<OverlayProps> | null>(null);
  const isComing = useRef(false);
  const show = (name: Overlay) => {
    const component: Promise<ComponentType<OverlayProps>> =
      name === "sheet"
        ? import("./sheet").then(({ ShortcutSheet }) => ShortcutSheet)
        : import("./palette").then(({ Palette }) => Palette);
    isComing.current = true;
    component
      .then((found) => setShown(() => found))
      // Offline, without a copy of it.
      .catch(() => undefined)
      .finally(() => {
        isComing.current = false;
      });
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    const control = event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || event.altKey || !(target instanceof Element)) return;
    if (target.closest(control ? "dialog" : TYPING)) return;
    if (control ? key !== "k" : !"/jkcr?".includes(key) || keysOff()) return;
    event.preventDefault();
    // What is typed while the palette is on its way is meant for it.
    if (isComing.current) return;
    if (control) show("palette");
    else if (key === "?") show("sheet");
    else if (key !== "/") act(key, router.push);
    else {
      const fields = document.querySelectorAll<HTMLElement>("[data-search]");
      // The page's own comes after that of the frame.
      const field = [...fields].findLast((one) => one.checkVisibility());
      if (field) field.focus();
      else router.push("/search");
    }
  });
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return Shown ? <Shown onClose={() => setShown(null)} show={show} /> : null;
}
