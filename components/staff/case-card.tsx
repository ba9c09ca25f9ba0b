"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { Avatar } from "@/components/ui/identicon";
import { Badge } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { commentPlace } from "@/lib/client/places";
import type { Report } from "@/lib/contract/moderation";
import type { Case } from "./cases";

export interface CaseCardProps {
  readonly of: Case;
  /** What can be done about it. */
  readonly children: ReactNode;
}

/** What was reported, as far as it fits, where it stands, and who said what about it. */
export function CaseCard({ of: { first, reports }, children }: CaseCardProps) {
  const { t } = useWords();
  const place = commentPlace(first.postId, first.commentId);
  const name = first.author.nickname;
  return (
    <article className="grid gap-3 rounded-sheet border bg-sheet p-4">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
        <Avatar userId={first.author.userId} image={first.author.profileImage} size="xs" />
        <span className="font-medium text-ink">
          {first.commentId ? t("reports.commentBy", { name }) : t("reports.postBy", { name })}
        </span>
        {first.isHidden ? <Badge tone="warning">{t("reports.hidden")}</Badge> : null}
        {first.isDeleted ? <Badge>{t("reports.gone")}</Badge> : null}
        {first.status === "open" ? null : <Badge tone="good">{t(`reports.statuses.${first.status}`)}</Badge>}
      </header>
      <blockquote className="grid gap-1 border-s-2 border-line-strong/60 ps-3" dir="auto">
        {first.commentId || !first.title ? null : (
          <p className="font-serif text-lg font-semibold">{first.title}</p>
        )}
        {first.isDeleted ? (
          <p className="text-soft italic">{t("reports.goneText")}</p>
        ) : (
          <p className="whitespace-pre-wrap">{first.excerpt}</p>
        )}
      </blockquote>
      <p className="text-sm">
        <Link href={place} className="link reach">
          {t("reports.see")}
        </Link>
        {first.commentId && first.title ? (
          <span className="text-soft">
            {" "}
            · {t("reports.on")} <span dir="auto">{first.title}</span>
          </span>
        ) : null}
      </p>
      <ul className="grid gap-2">
        {reports.map((one) => (
          <OneReport key={one.id} report={one} />
        ))}
      </ul>
      {children}
    </article>
  );
}

function OneReport({ report }: { readonly report: Report }) {
  const { t } = useWords();
  return (
    <li className="grid gap-0.5 rounded-control bg-wash px-3 py-2 text-sm">
      <p className="flex flex-wrap gap-x-2">
        <span className="font-medium">{t(`report.reasons.${report.reason}`)}</span>
        <span className="text-soft">
          {t("reports.reportedBy", { name: report.reporter.nickname })} · <TimeAgo at={report.createdAt} />
        </span>
      </p>
      {report.details ? (
        <p dir="auto" className="whitespace-pre-wrap">
          {report.details}
        </p>
      ) : null}
    </li>
  );
}
