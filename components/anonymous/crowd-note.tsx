"use client";

import { useState } from "react";
import { useWords } from "#words";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import { Button, ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/notes";
import { joinCrowd, useStanding } from "./use-standing";

export interface CrowdNoteProps {
  readonly topicId: string;
  /** Only looks after what this device knows of the crowd. */
  readonly isQuiet?: boolean;
}

/** Fetches the crowd's leaves for those who are in it, and says if their secret is on another device, or lost. */
export function CrowdNote({ topicId, isQuiet }: CrowdNoteProps) {
  const { t } = useWords();
  const standing = useStanding(topicId);
  const [isAsking, setAsking] = useState(false);
  if (isQuiet || standing?.own !== "elsewhere") return null;
  return (
    <Note
      title={t("anonymous.elsewhereTitle")}
      action={
        <>
          <ButtonLink size="sm" href="/settings/anonymous">
            {t("anonymous.bring")}
          </ButtonLink>
          <Button size="sm" tone="quiet" onClick={() => setAsking(true)}>
            {t("anonymous.lost.act")}
          </Button>
        </>
      }
    >
      {t("anonymous.elsewhere")}
      {isAsking ? (
        <ConfirmDialog
          title={t("anonymous.lost.title")}
          text={t("anonymous.lost.text")}
          confirm={t("anonymous.lost.confirm")}
          work={() => joinCrowd(topicId)}
          done={t("anonymous.lost.done")}
          onDone={() => setAsking(false)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Note>
  );
}
