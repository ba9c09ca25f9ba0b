"use client";

import { useWords } from "#words";
import { Note } from "@/components/ui/notes";
import { useMoment } from "@/components/ui/use-moment";

export interface MuteNoteProps {
  readonly reason: string;
  /** ISO 8601; null for an unlimited mute. */
  readonly until: string | null;
}

/** Tells members that they are muted, for how long and why. */
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
