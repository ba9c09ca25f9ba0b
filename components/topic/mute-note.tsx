"use client";

import { useWords } from "#words";
import { Note } from "@/components/ui/notes";
import { useMoment } from "@/components/ui/use-moment";

export interface MuteNoteProps {
  readonly reason: string;
  /** ISO 8601; null until it is lifted. */
  readonly until: string | null;
}

/** Tells a muted member for how long, why, and what they can still do. */
export function MuteNote({ reason, until }: MuteNoteProps) {
  const { t } = useWords();
  const when = useMoment(until);
  return (
    <Note tone="warning" title={t("membership.mutedTitle")}>
      <p>{when ? t("membership.mutedUntil", { when }) : t("membership.muted")}</p>
      <p dir="auto">{t("membership.mutedReason", { reason })}</p>
    </Note>
  );
}
