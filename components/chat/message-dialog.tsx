"use client";

import { useState } from "react";
import { useWords } from "#words";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import { ReasonField, reasonOf } from "@/components/staff/reason-field";
import type { ChatMessage } from "@/lib/contract";
import { useChat } from "./provider";

export interface MessageDialogProps {
  readonly kind: "hide" | "remove";
  readonly entry: ChatMessage;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Hides or deletes a message. Staff give a reason, which the author and the log get. */
export function MessageDialog({ kind, entry, onDone, onClose }: MessageDialogProps) {
  const { t } = useWords();
  const { room, me } = useChat();
  const [reason, setReason] = useState("");
  const { id: messageId } = entry;
  const isMine = entry.userId === me;
  return (
    <ConfirmDialog
      title={t(`chat.${kind}Title`)}
      text={t(`chat.${kind}Text`)}
      confirm={t(kind === "hide" ? "common.hide" : "common.delete")}
      done={t(kind === "hide" ? "moderate.hidden" : "chat.removed")}
      work={async ({ api, contract }) => {
        const given = { messageId, reason: reasonOf(reason) };
        if (kind === "hide") await api.call(contract.moderation.hideMessage, { ...given, hidden: true });
        else await api.call(contract.chat.delete, given);
      }}
      onDone={() => {
        const deletedBy = isMine ? "author" : "admin";
        room.confirm(messageId, (message) =>
          kind === "hide"
            ? { ...message, isHidden: true }
            : { ...message, isDeleted: true, deletedBy, message: "", reactions: [] },
        );
        onDone();
      }}
      onClose={onClose}
    >
      {kind === "hide" || !isMine ? <ReasonField value={reason} onChange={setReason} /> : null}
    </ConfirmDialog>
  );
}
