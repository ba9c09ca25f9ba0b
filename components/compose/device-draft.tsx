"use client";

import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/notes";
import { LIMITS } from "@/lib/contract/limits";
import type { ServerDraft } from "./use-server-draft";

/** Whether a draft is kept for the writer's other devices, and what to do where one of them changed it. */
export function DeviceDraft({ kept }: { readonly kept: ServerDraft }) {
  const { t } = useWords();
  return (
    <>
      {kept.theirs ? (
        <div role="status">
          <Note
            tone="warning"
            title={t("composer.fromElsewhereTitle")}
            action={
              <>
                <Button size="sm" onClick={kept.takeTheirs}>
                  {t("composer.takeThat")}
                </Button>
                <Button size="sm" tone="quiet" onClick={kept.keepMine}>
                  {t("composer.keepThis")}
                </Button>
              </>
            }
          >
            {t("composer.fromElsewhere")}
          </Note>
        </div>
      ) : null}
      <label className="tap flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1 size-4 accent-(--ink)"
          checked={kept.isOn}
          onChange={(event) => kept.turn(event.target.checked)}
        />
        <span className="grid">
          {t("composer.keepElsewhere")}
          <span className="text-sm text-soft">
            {t("composer.keepElsewhereHint", { days: LIMITS.days.draft })}
          </span>
        </span>
      </label>
    </>
  );
}
