"use client";

import { useState } from "react";
import { useWords } from "#words";
import { Dialog } from "@/components/ui/dialog";
import { keysOff, type OverlayProps, setKeysOff } from "./keys";

const KEYS = [
  ["Ctrl K", "palette"],
  ["/", "search"],
  ["j", "next"],
  ["k", "previous"],
  ["c", "write"],
  ["r", "reply"],
  ["?", "sheet"],
] as const;

/** Lists the keys, and turns those without Control off for people whose voice or hands press them unasked. */
export function ShortcutSheet({ onClose }: Pick<OverlayProps, "onClose">) {
  const { t } = useWords();
  const [areOn, setOn] = useState(!keysOff());
  return (
    <Dialog open onClose={onClose} title={t("shortcuts.title")}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {KEYS.map(([key, name]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-control border bg-wash px-2 py-0.5 font-mono text-sm">{key}</kbd>
            </dt>
            <dd>{t(`shortcuts.${name}`)}</dd>
          </div>
        ))}
      </dl>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={areOn}
          onChange={({ target }) => {
            setKeysOff(!target.checked);
            setOn(target.checked);
          }}
          className="size-4 accent-ink"
        />
        {t("shortcuts.on")}
      </label>
    </Dialog>
  );
}
