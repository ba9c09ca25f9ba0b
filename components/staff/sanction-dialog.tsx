"use client";

import { useState } from "react";
import { useWords } from "#words";
import type { Client } from "@/components/call-api";
import type { ConfirmDialogProps } from "./confirm-dialog";
import { type HideChoice, HideField, hideOf } from "./hide-field";
import { NotesBrief } from "./notes-brief";
import { ReasonDialog, type ReasonDialogProps } from "./reason-dialog";

export interface SanctionDialogProps
  extends Pick<ConfirmDialogProps, "onDone" | "onClose">,
    Pick<ReasonDialogProps, "reason" | "templates"> {
  readonly kind: "mute" | "ban";
  readonly topicId: string;
  readonly person: {
    readonly userId: string;
    readonly nickname: string;
    /** Of the staff about them, which the dialog shows. */
    readonly noteCount?: number | null;
  };
  /** What it hides unless the user chooses otherwise. */
  readonly hides?: HideChoice;
  /** A further action after the sanction, and its explanation. */
  readonly also?: {
    readonly text: string;
    readonly work: (client: Client, reason: string) => Promise<unknown>;
  };
}

/** Mutes or bans a member, with a duration and a reason. */
export function SanctionDialog(props: SanctionDialogProps) {
  const { kind, topicId, person, hides = "none", also, reason: initial, templates, onDone, onClose } = props;
  const { t } = useWords();
  const [hide, setHide] = useState<HideChoice>(hides);
  const { userId, nickname: name } = person;
  const text = t(`staff.${kind}Text`, { name });
  return (
    <ReasonDialog
      title={t(`staff.${kind}Title`, { name })}
      text={also ? `${text} ${also.text}` : text}
      confirm={t(`staff.${kind}Confirm`)}
      duration={kind === "mute" ? "day" : "always"}
      reason={initial}
      templates={templates}
      required
      work={async (client, { reason, until }) => {
        const { api, contract } = client;
        const body = { topicId, userId, kind, reason, until, hide: hideOf(hide) };
        await api.call(contract.moderation.sanction, body);
        await also?.work(client, reason);
      }}
      done={t(kind === "mute" ? "staff.mutedNow" : "staff.bannedNow", { name })}
      onDone={onDone}
      onClose={onClose}
    >
      {person.noteCount ? <NotesBrief topicId={topicId} userId={userId} /> : null}
      <HideField value={hide} onChange={setHide} />
    </ReasonDialog>
  );
}
