"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Where a slash is a letter and nothing else. */
const writes = "input, textarea, select, dialog, [contenteditable], [role=menu], [role=listbox]";

/** The slash key goes to the search field of the page, else to the page that searches. */
export function SlashKey() {
  const router = useRouter();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target instanceof Element && target.closest(writes)) return;
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
