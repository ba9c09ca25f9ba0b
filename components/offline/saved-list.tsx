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

const RETURNS_KEY = "parley.returns";
/** A page that stayed open this long did load. */
const RECENT_MS = 120_000;

/** Counts this tab's recent returns from the offline page: each one that failed makes the next wait longer. */
function returnsLately(): number {
  try {
    const [count, at] = (sessionStorage.getItem(RETURNS_KEY) ?? "").split("@").map(Number);
    return count && at && Date.now() - at < RECENT_MS ? count : 0;
  } catch {
    return 0;
  }
}

function countReturn(): void {
  try {
    sessionStorage.setItem(RETURNS_KEY, `${returnsLately() + 1}@${Date.now()}`);
  } catch {
    // Without storage, each return waits as long as the first.
  }
}

/** Lists the pages saved for offline reading, the latest first. */
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
  if (pages.length === 0) return <p className="text-soft">{t("saved.nothing")}</p>;
  return (
    <ul className="divide-y rounded-sheet border bg-sheet">
      {pages.map(({ path, title, savedAt }) => (
        <li
          key={path}
          className="ease relative grid gap-0.5 px-4 py-3 first:rounded-t-sheet last:rounded-b-sheet hover:bg-wash"
        >
          {/* Not a Link: only whole documents are saved. */}
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

/** Says that the server does not answer, and goes on to the wanted page once it does. */
export function OfflineLead() {
  const { t } = useWords();
  const reach = useReach();
  const [to, setTo] = useState<string | null>(null);
  useEffect(() => {
    const wanted = wantedPath(window.location.search);
    setTo(wanted);
    // The worker shows this page in place of one that it could not fetch.
    if (wanted) pageReach().lose(returnsLately());
    else pageReach().doubt();
  }, []);
  useEffect(() => {
    // Only once the server has answered: `navigator.onLine` led to a loop of reloads.
    if (reach !== "reachable" || !to) return;
    countReturn();
    window.location.replace(to);
  }, [reach, to]);
  return (
    <div className="grid gap-3">
      <p className="text-soft" role="status">
        {reach === "lost" || to ? t("saved.lost") : t("saved.lead")}
      </p>
      {to ? (
        <p>
          <a href={to} className="link tap inline-flex items-center">
            {t("common.retry")}
          </a>
        </p>
      ) : null}
    </div>
  );
}

/** Returns the path that the worker could not fetch; null when there is none on this site. */
function wantedPath(search: string): string | null {
  const to = pathHere(new URLSearchParams(search).get("to"));
  return to === null || /^\/offline(?:\?|$)/.test(to) ? null : to;
}
