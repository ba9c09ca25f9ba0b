import Link from "next/link";
import { useWords } from "#words";
import { Hash } from "@/components/ui/hash";
import { TimeAgo } from "@/components/ui/time-ago";
import type { LogEntry } from "@/lib/contract/moderation";
import { logPlace, logSentence } from "./log-sentence";

/** The moderation log, latest first. */
export function LogList({ entries }: { readonly entries: readonly LogEntry[] }) {
  const words = useWords();
  return (
    <ol reversed aria-label={words.t("log.list")} className="divide-y border-y">
      {entries.map((entry) => (
        <Entry key={entry.seq} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { readonly entry: LogEntry }) {
  const words = useWords();
  const { t } = words;
  const place = logPlace(entry);
  return (
    <li className="grid gap-1 py-3">
      <p>
        <span className="font-medium">{logSentence(words, entry)}</span>
        {place ? (
          <>
            {" "}
            <Link href={place} prefetch={false} className="link whitespace-nowrap">
              {t("log.see")}
              <span className="sr-only"> ({t("log.entry", { n: entry.seq })})</span>
            </Link>
          </>
        ) : null}
      </p>
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
      </p>
    </li>
  );
}
