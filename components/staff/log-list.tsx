import Link from "next/link";
import { useWords } from "#words";
import type { LogEntry } from "@/lib/contract/moderation";
import { LogLine } from "./log-line";
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
    <LogLine entry={entry}>
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
    </LogLine>
  );
}
