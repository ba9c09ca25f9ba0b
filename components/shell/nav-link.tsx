"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
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
  // A topic has a link of its own below, if the reader is in it.
  const isPlace = href !== "/" && href !== "/topics";
  const current = path === href || (isPlace && path.startsWith(`${href}/`));
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
