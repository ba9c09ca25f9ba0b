"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { Skeleton } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { pathHere } from "@/lib/client/places";
import { pageReach } from "@/lib/client/reach";
import { guest, type SavedPage, savedPages } from "@/lib/client/saved";
import { useReach } from "./bar";
import { reader } from "./state";

/** How often this tab went back from the offline page lately, kept over the navigations that takes. */

const KEY = "parley.returns";
/** A page that held this long was there. Milliseconds. */
const LATELY = 120_000;

/** Returns from the offline page in a row: each one that led here again makes the next wait longer. */
function returnsLately(): number {
  try {
    const [count, at] = (sessionStorage.getItem(KEY) ?? "").split("@").map(Number);
    return count && at && Date.now() - at < LATELY ? count : 0;
  } catch {
    return 0;
  }
}

/** This tab goes back now. */
function returned(): void {
  try {
    sessionStorage.setItem(KEY, `${returnsLately() + 1}@${Date.now()}`);
  } catch {
    // Where it cannot be remembered, each return waits as long as the first.
  }
}

/** Pages that can be read without a network, the latest first. */
export function SavedList() {
  const { t } = useWords();
  const [pages, setPages] = useState<readonly SavedPage[] | null>(null);
  useEffect(() => {
    const read = async () => ("caches" in window ? await savedPages(reader() ?? guest) : []);
    read().then(
      (found) => setPages(found.filter(({ path }) => path !== "/offline")),
      () => setPages([]),
    );
  }, []);
  if (!pages) return <Skeleton className="h-24 w-full" />;
  if (pages.length === 0) return <p className="text-soft">{t("offline.nothingSaved")}</p>;
  return (
    <ul className="divide-y rounded-sheet border bg-sheet">
      {pages.map(({ path, title, savedAt }) => (
        <li
          key={path}
          className="ease relative grid gap-0.5 px-4 py-3 first:rounded-t-sheet last:rounded-b-sheet hover:bg-wash"
        >
          {/* A document of its own: only documents are kept. */}
          <a href={path} className="stretched font-medium" dir="auto">
            {title.replace(` · ${t("common.name")}`, "")}
          </a>
          <span className="text-sm text-soft">
            {t("offline.savedAt")} <TimeAgo at={savedAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What the offline page says first: that the server does not answer, and the way on once it does. */
export function OfflineLead() {
  const { t } = useWords();
  const reach = useReach();
  const [to, setTo] = useState<string | null>(null);
  useEffect(() => {
    const wanted = wantedPath(window.location.search);
    setTo(wanted);
    // This page stands here in place of one that could not be fetched.
    if (wanted) pageReach().lose(returnsLately());
    else pageReach().doubt();
  }, []);
  useEffect(() => {
    // Only once the server has answered: what browsers say of the network made a loop of reloads of this.
    if (reach !== "reachable" || !to) return;
    returned();
    window.location.replace(to);
  }, [reach, to]);
  return (
    <div className="grid gap-3">
      <p className="text-soft" role="status">
        {reach === "lost" || to ? t("offline.page") : t("offline.pageOnline")}
      </p>
      {to ? (
        <p>
          <a href={to} className="link tap inline-flex items-center">
            {t("offline.again")}
          </a>
        </p>
      ) : null}
    </div>
  );
}

/** Where the reader wanted to go when there was no network: a path of this site, else null. */
function wantedPath(search: string): string | null {
  const to = pathHere(new URLSearchParams(search).get("to"));
  return to === null || /^\/offline(?:\?|$)/.test(to) ? null : to;
}
