"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { OfflineBar } from "@/components/offline/bar";
import { cx } from "@/components/ui/cx";
import { SpriteUse } from "@/components/ui/sprite-use";
import { Brand } from "./navigation";
import { Paid } from "./paid";

export interface PageProps {
  /** Name of the page, for the top bar on phones and, unless `ownHeading`, the heading. */
  readonly title: string;
  /** Target of the back arrow on phones; without it the top bar shows the brand. */
  readonly back?: string;
  /** The children contain the h1. */
  readonly ownHeading?: boolean;
  /** The content fills the window and scrolls inside it: no heading, no padding. */
  readonly fill?: boolean;
  /** Beside the heading. */
  readonly action?: ReactNode;
  /** The right column, on windows from 1120 px. Without one, the main column is in the middle. */
  readonly aside?: ReactNode;
  /** A part of the children is so wide that it needs the place of the right column. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** The layout of a page: top bar on phones, main column, right column on wide windows. */
export function Page({ title, back, ownHeading, fill, action, aside, wide, children }: PageProps) {
  const { t } = useWords();
  return (
    <div
      className={aside || wide ? "wide:grid wide:grid-cols-[minmax(0,680px)_300px] wide:gap-8" : undefined}
    >
      <div className={cx("mx-auto w-full max-w-[680px] min-w-0", fill && "filled-window flex flex-col")}>
        <header className="sticky top-0 z-30 flex h-[calc(52px+env(safe-area-inset-top))] items-center gap-1 border-b bg-paper px-2 pt-[env(safe-area-inset-top)] md:hidden">
          {back ? (
            <>
              <Link
                href={back}
                aria-label={t("common.back")}
                className="tap inline-flex size-11 items-center justify-center rounded-control"
              >
                <SpriteUse icon="back" className="size-6" />
              </Link>
              <span className="truncate font-medium" aria-hidden={ownHeading ? undefined : true}>
                {title}
              </span>
            </>
          ) : (
            <>
              <span className="flex-1 px-2">
                <Brand />
              </span>
              <Link
                href="/search"
                prefetch={false}
                aria-label={t("nav.search")}
                className="tap inline-flex size-11 items-center justify-center rounded-control"
              >
                <SpriteUse icon="search" className="size-6" />
              </Link>
            </>
          )}
        </header>
        <OfflineBar />
        <main
          id="content"
          tabIndex={-1}
          className={cx(
            "outline-none",
            fill ? "flex min-h-0 flex-1 flex-col" : "grid gap-5 px-4 pt-5 pb-10 md:px-6 md:pt-8",
          )}
        >
          <Paid />
          {ownHeading || fill ? null : (
            <div
              className={cx(
                "flex items-center justify-between gap-4",
                back && !action && "sr-only md:not-sr-only",
              )}
            >
              <h1 className="font-serif text-2xl font-semibold md:text-3xl">{title}</h1>
              {action}
            </div>
          )}
          {children}
        </main>
      </div>
      {aside ? (
        <aside aria-label={t("nav.side")} className="hidden pt-8 pb-16 wide:block">
          <div className="sticky top-8 grid gap-4">{aside}</div>
        </aside>
      ) : null}
    </div>
  );
}
