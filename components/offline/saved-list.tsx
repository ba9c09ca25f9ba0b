"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { Skeleton } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { pathHere } from "@/lib/client/places";
import { guest, type SavedPage, savedPages } from "@/lib/client/saved";
import { useOnline } from "./bar";
import { reader } from "./state";

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

/** What the offline page says first: that there is no network, and the way on once there is one. */
export function OfflineLead() {
  const { t } = useWords();
  const online = useOnline();
  const [to, setTo] = useState<string | null>(null);
  useEffect(() => {
    setTo(wantedPath(window.location.search));
  }, []);
  useEffect(() => {
    if (online && to) window.location.replace(to);
  }, [online, to]);
  return (
    <div className="grid gap-3">
      <p className="text-soft" role="status">
        {online ? t("offline.pageOnline") : t("offline.page")}
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
