"use client";

import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { canUndo } from "./calls";
import { type Case, caseName, type QueueAct } from "./case";
import type { LastAct } from "./use-queue";

export interface QueueBarProps {
  readonly last: LastAct | null;
  readonly selected: readonly Case[];
  readonly total: number;
  /** Acts that some of the selected cases allow. */
  readonly acts: readonly QueueAct[];
  readonly onBulk: (act: QueueAct) => void;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
  readonly onUndo: () => void;
}

/** The bar at the end of the window: what was done last, with a way back, or what to do with the selected cases. */
export function QueueBar(props: QueueBarProps) {
  const { last, selected, total, acts, onBulk, onSelectAll, onClear, onUndo } = props;
  const { t } = useWords();
  const isUndoable = last !== null && !last.isUndone && canUndo(last.act);
  const [first, ...others] = last?.on ?? [];
  const name = others.length > 0 || !first ? null : caseName(first, t("queue.untitled"));
  const said =
    last &&
    t(last.isUndone ? "queue.undone" : `queue.done.${last.act}`, {
      name: name ?? t("queue.cases", { n: last.on.length }),
    });
  return (
    <div
      className={cx(
        "sticky bottom-[calc(64px+env(safe-area-inset-bottom))] z-20 flex min-h-12 flex-wrap items-center gap-2 rounded-sheet border bg-sheet py-1.5 ps-4 pe-2 shadow-float md:bottom-4",
        !last && selected.length === 0 && "sr-only",
      )}
    >
      {selected.length > 0 ? (
        <>
          <p className="me-auto font-medium">{t("queue.selected", { n: selected.length })}</p>
          {acts.map((act) => (
            <Button key={act} size="sm" onClick={() => onBulk(act)}>
              {t(`queue.acts.${act}`, { name: "" })}
            </Button>
          ))}
          {selected.length < total ? (
            <Button size="sm" tone="quiet" onClick={onSelectAll}>
              {t("queue.selectAll")}
            </Button>
          ) : null}
          <Button size="sm" tone="quiet" onClick={onClear}>
            {t("queue.clear")}
          </Button>
        </>
      ) : (
        <>
          <p role="status" className="min-w-0 flex-1 text-sm text-soft">
            {said}
          </p>
          {isUndoable ? (
            <Button size="sm" aria-keyshortcuts="u" onClick={onUndo}>
              {t("queue.undo")}
            </Button>
          ) : null}
        </>
      )}
    </div>
  );
}
