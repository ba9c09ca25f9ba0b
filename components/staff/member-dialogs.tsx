"use client";

import { useState } from "react";
import { useWords } from "#words";
import type { Member } from "@/lib/contract/members";
import { ActDialog } from "./act-dialog";
import { ProveAgain, proveAgainCode } from "./prove-again";
import { ReasonField, reasonOf } from "./reason-field";
import { isTyped, TypedConfirmation } from "./typed-confirmation";

export interface MemberDialogProps {
  readonly topicId: string;
  readonly member: Member;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Removes a member, with a reason if there is one. */
export function RemoveDialog({ topicId, member, onDone, onClose }: MemberDialogProps) {
  const { t } = useWords();
  const [reason, setReason] = useState("");
  const { userId, nickname: name } = member;
  return (
    <ActDialog
      title={t("staff.removeTitle", { name })}
      text={t("staff.removeText", { name })}
      confirm={t("staff.removeConfirm")}
      work={({ api, contract }) =>
        api.call(contract.members.remove, { topicId, userId, reason: reasonOf(reason) })
      }
      done={t("staff.removed", { name })}
      onDone={onDone}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} />
    </ActDialog>
  );
}

/** Hands the topic over, once the new owner's name has been typed. */
export function TransferDialog({ topicId, member, onDone, onClose }: MemberDialogProps) {
  const { t } = useWords();
  const [typed, setTyped] = useState("");
  const { userId, nickname: name } = member;
  const again = `/topics/${topicId}/members?${new URLSearchParams({ q: name, handOver: userId })}`;
  return (
    <ActDialog
      title={t("staff.transferTitle", { name })}
      text={t("staff.transferText", { name })}
      confirm={t("staff.transferConfirm")}
      answers={{ [proveAgainCode]: <ProveAgain next={again} /> }}
      missing={() => (isTyped(typed, name) ? null : t("staff.transferType", { name }))}
      work={({ api, contract }) => api.call(contract.members.setRole, { topicId, userId, role: "owner" })}
      done={t("staff.transferred", { name })}
      onDone={onDone}
      onClose={onClose}
    >
      <TypedConfirmation label={t("staff.transferType", { name })} value={typed} onChange={setTyped} />
    </ActDialog>
  );
}
