"use client";

import { useWords } from "#words";
import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/notes";
import { useStanding } from "./use-standing";

export interface CrowdNoteProps {
  readonly topicId: string;
  /** Only looks after what this device knows of the crowd. */
  readonly isQuiet?: boolean;
}

/** Fetches the crowd's leaves for those who are in it, and says if their secret is on another device. */
export function CrowdNote({ topicId, isQuiet }: CrowdNoteProps) {
  const { t } = useWords();
  const standing = useStanding(topicId);
  if (isQuiet || standing?.own !== "elsewhere") return null;
  return (
    <Note
      title={t("anonymous.elsewhereTitle")}
      action={
        <ButtonLink size="sm" href="/settings/anonymous">
          {t("anonymous.bring")}
        </ButtonLink>
      }
    >
      {t("anonymous.elsewhere")}
    </Note>
  );
}
