import { useState } from "react";
import { useWords } from "#words";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import { ReasonField, reasonOf } from "@/components/staff/reason-field";
import { Field, Select } from "@/components/ui/field";
import { LIMITS } from "@/lib/contract/limits";

const WEEKS = [1, 4, 12, 26, LIMITS.anonymous.banWeeks] as const;

export interface BanDialogProps {
  readonly postId: string;
  readonly commentId: string | null;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Bans whoever wrote something, whom nobody knows, from the topic's crowd. */
export function BanDialog({ postId, commentId, onDone, onClose }: BanDialogProps) {
  const { t } = useWords();
  const [weeks, setWeeks] = useState<number>(WEEKS[1]);
  const [reason, setReason] = useState("");
  return (
    <ConfirmDialog
      title={t("anonymous.ban.title")}
      text={t("anonymous.ban.lead")}
      confirm={t("anonymous.ban.confirm")}
      missing={() => (reasonOf(reason) === undefined ? t("reason.needed") : null)}
      work={({ api, contract }) =>
        api.call(contract.anonymous.ban, {
          postId,
          commentId: commentId ?? undefined,
          weeks,
          reason: reasonOf(reason) ?? "",
        })
      }
      done={t("anonymous.ban.done")}
      onDone={onDone}
      onClose={onClose}
    >
      <Field label={t("anonymous.ban.weeks")}>
        {(control) => (
          <Select {...control} value={weeks} onChange={(event) => setWeeks(Number(event.target.value))}>
            {WEEKS.map((n) => (
              <option key={n} value={n}>
                {t("anonymous.ban.week", { n })}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}
