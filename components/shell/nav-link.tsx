"use client";

import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { LinkPending } from "@/components/ui/link-pending";

export interface NavLinkProps {
  readonly href: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** rail: icon and label in a row, without the label when narrow; bar: icon above label. */
  readonly form: "rail" | "bar";
  /** False for pages with a large script of their own. */
  readonly prefetch?: false;
}

/** A link of the main navigation, which marks the current page. */
export function NavLink({ href, label, icon, form, prefetch }: NavLinkProps) {
  const path = usePathname();
  const current = href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
  return (
    <Link
      href={href}
      prefetch={prefetch}
      title={form === "rail" ? label : undefined}
      aria-current={current ? "page" : undefined}
      className={form === "rail" ? "ease tap rail-link" : "ease tap bar-link"}
    >
      {icon}
      <span className={form === "rail" ? "sr-only lg:not-sr-only" : undefined}>{label}</span>
      <LinkPending />
    </Link>
  );
}

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
