"use client";

import { useWords } from "#words";
import { Dialog } from "@/components/ui/dialog";
import type { QueueSource } from "./case";
import { KeyList } from "./key-list";

interface KeysDialogProps {
  readonly source: QueueSource;
  readonly onClose: () => void;
}

/** The keys of a queue, on request. */
export function KeysDialog({ source, onClose }: KeysDialogProps) {
  const { t } = useWords();
  return (
    <Dialog open onClose={onClose} title={t("queue.keysTitle")}>
      <p className="text-soft">{t("queue.keysText")}</p>
      <KeyList source={source} />
    </Dialog>
  );
}
