"use client";

import { useWords } from "#words";
import { Dialog } from "@/components/ui/dialog";

const onApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys, and what is typed at the beginning of a line, with what they do. */
const entries = [
  ["Mod", "B", "bold"],
  ["Mod", "I", "italic"],
  ["Mod", "Shift", "S", "strike"],
  ["Mod", "E", "code"],
  ["Mod", "K", "link"],
  ["## ", "heading"],
  ["- ", "bullets"],
  ["1. ", "numbers"],
  ["> ", "quote"],
  ["``` ", "codeBlock"],
  ["@", "mention"],
  ["Alt", "↑", "pictureUp"],
  ["Alt", "↓", "pictureDown"],
  ["Mod", "Z", "undo"],
  ["Mod", "Enter", "post"],
] as const;

export interface ShortcutsProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** What can be done without the mouse. */
export function Shortcuts({ open, onClose }: ShortcutsProps) {
  const { t } = useWords();
  return (
    <Dialog open={open} onClose={onClose} title={t("composer.shortcuts")}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2">
        {entries.map((entry) => {
          const keys = entry.slice(0, -1);
          const name = entry[entry.length - 1] ?? "";
          return (
            <div key={name} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <kbd key={key} className="rounded-control border bg-wash px-1.5 py-px font-mono text-sm">
                    {key === "Mod" ? (onApple() ? "⌘" : "Ctrl") : key.trim()}
                  </kbd>
                ))}
              </dt>
              <dd>{t(`composer.${nameOf(entry)}`)}</dd>
            </div>
          );
        })}
      </dl>
      <p className="text-sm text-soft">{t("composer.shortcutsHint")}</p>
    </Dialog>
  );
}

type Entry = (typeof entries)[number];

function nameOf(entry: Entry) {
  return entry.length === 2 ? entry[1] : entry.length === 3 ? entry[2] : entry[3];
}
