import Link from "next/link";
import { useWords } from "#words";
import { LogLine } from "@/components/staff/log-line";
import type { InstallationLogEntry } from "@/lib/contract/desk";
import { siteLogSentence } from "./site-log-sentence";

/** The log of the installation, latest first. */
export function SiteLogList({ entries }: { readonly entries: readonly InstallationLogEntry[] }) {
  const words = useWords();
  const { t } = words;
  return (
    <ol reversed aria-label={t("siteLog.list")} className="divide-y border-y">
      {entries.map((entry) => (
        <LogLine
          key={entry.seq}
          entry={entry}
          link={
            entry.topicId ? (
              <Link href={`/topics/${entry.topicId}`} prefetch={false} className="link reach">
                {t("siteLog.topicLink")}
                <span className="sr-only"> ({t("log.entry", { n: entry.seq })})</span>
              </Link>
            ) : null
          }
        >
          <span className="font-medium">{siteLogSentence(words, entry)}</span>
        </LogLine>
      ))}
    </ol>
  );
}
