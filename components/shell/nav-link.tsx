"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";
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
      className={cx(
        "ease tap font-medium",
        form === "rail"
          ? "flex h-10 items-center justify-center gap-3 rounded-control px-3 lg:justify-start"
          : "flex h-14 flex-col items-center justify-center gap-0.5 text-xs",
        current ? "text-ink" : "text-soft hover:text-ink",
        form === "rail" && (current ? "bg-wash" : "hover:bg-wash"),
      )}
    >
      {icon}
      <span className={form === "rail" ? "sr-only lg:not-sr-only" : ""}>{label}</span>
      <LinkPending />
    </Link>
  );
}
