"use client";

import Link from "next/link";
import { cx } from "./cx";
import { LinkPending } from "./link-pending";

export interface Tab {
  readonly href: string;
  readonly label: string;
  readonly current: boolean;
  /** A number to show; null for none. */
  readonly count?: string | null;
}

/** Tabs whose panels are separate pages, so they work without JavaScript and have addresses. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} className="border-b">
      <ul className="scrollbar-none -mb-px flex gap-1 overflow-x-auto">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              href={tab.href}
              scroll={false}
              // The scripts are here already, and a page for reading has nothing to show before its content.
              prefetch={false}
              aria-current={tab.current ? "page" : undefined}
              className={cx(
                "ease tap inline-flex h-10 items-center rounded-t-control border-b-2 px-3 font-medium whitespace-nowrap focus-visible:-outline-offset-2",
                tab.current ? "border-ink text-ink" : "border-transparent text-soft hover:text-ink",
              )}
            >
              {tab.label}
              {tab.count ? (
                <span className="ms-1.5 rounded-full bg-ink px-1.5 text-xs leading-5 text-paper tabular-nums">
                  {tab.count}
                </span>
              ) : null}
              <LinkPending />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
