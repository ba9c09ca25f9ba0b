import { useState } from "react";
import { useWords } from "#words";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import type { WaitingDeletion } from "@/lib/client/anonymous/store";
import { keepAct } from "./keep";
import { WhenField } from "./when-field";

export interface DeleteOwnDialogProps {
  readonly act: WaitingDeletion;
  readonly onClose: () => void;
}

/** Deletes what the reader wrote without a name, by a proof that they did. */
export function DeleteOwnDialog({ act, onClose }: DeleteOwnDialogProps) {
  const { t } = useWords();
  const [isNow, setNow] = useState(false);
  return (
    <ConfirmDialog
      title={t("anonymous.own.deleteTitle")}
      text={t("anonymous.own.deleteText")}
      confirm={t("common.delete")}
      work={async () => {
        if (!(await keepAct(act, isNow))) throw new Error(t("anonymous.problems.failed"));
      }}
      done={t("anonymous.own.kept")}
      onDone={onClose}
      onClose={onClose}
    >
      <p dir="auto" className="text-soft">
        {act.text}
      </p>
      <WhenField isNow={isNow} onChange={setNow} />
    </ConfirmDialog>
  );
}
