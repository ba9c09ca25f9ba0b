import type { ReactNode } from "react";
import { useWords } from "#words";
import { Hash } from "@/components/ui/hash";
import { TimeAgo } from "@/components/ui/time-ago";

export interface LogLineProps {
  /** An entry of a topic's log or of the installation's. */
  readonly entry: {
    readonly seq: number;
    readonly at: string;
    readonly reason: string | null;
    readonly hash: string;
  };
  /** What was done. */
  readonly children: ReactNode;
  /** A link behind the entry's number, time and hash. */
  readonly link?: ReactNode;
}

/** An entry of a log: what was done, why and when. */
export function LogLine({ entry, children, link }: LogLineProps) {
  const { t } = useWords();
  return (
    <li className="grid gap-1 py-3">
      <p>{children}</p>
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
        {link ? (
          <>
            <span aria-hidden="true">·</span>
            {link}
          </>
        ) : null}
      </p>
    </li>
  );
}
