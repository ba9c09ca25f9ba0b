"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Elements in which the slash key types a slash. */
const TYPING = "input, textarea, select, dialog, [contenteditable], [role=menu], [role=listbox]";

/** The slash key focuses the search field of the page, or opens the search page. */
export function SlashKey() {
  const router = useRouter();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target instanceof Element && target.closest(TYPING)) return;
      event.preventDefault();
      const field = ["main [data-search]", "[data-search]"]
        .flatMap((where) => [...document.querySelectorAll<HTMLInputElement>(where)])
        .find((one) => one.checkVisibility());
      if (field) field.focus();
      else router.push("/search");
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [router]);
  return null;
}
