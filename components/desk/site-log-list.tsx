import Link from "next/link";
import { useWords } from "#words";
import { Hash } from "@/components/ui/hash";
import { TimeAgo } from "@/components/ui/time-ago";
import type { InstallationLogEntry } from "@/lib/contract/desk";
import { siteLogSentence } from "./site-log-sentence";

/** The log of the installation, latest first. */
export function SiteLogList({ entries }: { readonly entries: readonly InstallationLogEntry[] }) {
  const words = useWords();
  const { t } = words;
  return (
    <ol reversed aria-label={t("siteLog.list")} className="divide-y border-y">
      {entries.map((entry) => (
        <li key={entry.seq} className="grid gap-1 py-3">
          <p className="font-medium">{siteLogSentence(words, entry)}</p>
          {entry.reason ? (
            <p dir="auto" className="text-soft">
              {t("common.reason", { reason: entry.reason })}
            </p>
          ) : null}
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
            <span className="tabular-nums">{t("log.entry", { n: entry.seq })}</span>
            <span aria-hidden="true">·</span>
            <TimeAgo at={entry.at} />
            <span aria-hidden="true">·</span>
            <Hash value={entry.hash} label={t("log.entryHash", { n: entry.seq })} />
            {entry.topicId ? (
              <>
                <span aria-hidden="true">·</span>
                <Link href={`/topics/${entry.topicId}`} prefetch={false} className="link reach">
                  {t("siteLog.topicLink")}
                  <span className="sr-only"> ({t("log.entry", { n: entry.seq })})</span>
                </Link>
              </>
            ) : null}
          </p>
        </li>
      ))}
    </ol>
  );
}
