"use client";

import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/notes";
import type { KeptDraft } from "./use-draft";

export interface DraftNotesProps {
  readonly kept: KeptDraft;
  /** A draft was found here, and nothing has been done with it yet. */
  readonly isRestored: boolean;
  readonly isDiscarded: boolean;
  readonly onDiscard: () => void;
  readonly onUndo: () => void;
  readonly onTheirs: () => void;
}

/** What became of the draft, and what can be done about it. */
export function DraftNotes({ kept, isRestored, isDiscarded, onDiscard, onUndo, onTheirs }: DraftNotesProps) {
  const { t } = useWords();
  const { elsewhere, keepMine } = kept;
  return (
    <div role="status" className="grid gap-3 empty:hidden">
      {elsewhere ? (
        <Note
          tone="warning"
          title={t(elsewhere.draft ? "composer.elsewhereTitle" : "composer.elsewhereGoneTitle")}
          action={
            <>
              <Button size="sm" onClick={keepMine}>
                {t("composer.elsewhereMine")}
              </Button>
              {elsewhere.draft ? (
                <Button size="sm" onClick={onTheirs}>
                  {t("composer.elsewhereTheirs")}
                </Button>
              ) : null}
            </>
          }
        >
          {t("composer.elsewhere")}
        </Note>
      ) : null}
      {isDiscarded ? (
        <Note
          action={
            <Button size="sm" onClick={onUndo}>
              {t("composer.discardUndo")}
            </Button>
          }
        >
          {t("composer.discarded")}
        </Note>
      ) : isRestored ? (
        <Note
          action={
            <Button size="sm" onClick={onDiscard}>
              {t("composer.discard")}
            </Button>
          }
        >
          {t("composer.draftRestored")}
        </Note>
      ) : null}
    </div>
  );
}
