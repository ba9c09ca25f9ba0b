"use client";

import { useState } from "react";
import { useWords } from "#words";
import type { Client } from "@/components/call-api";
import { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog";
import { type Duration, DurationField, endOf } from "./duration-field";
import { PROVE_AGAIN_CODE, ProveAgain } from "./prove-again";
import { ReasonField, type ReasonFieldProps } from "./reason-field";

/** What the dialog asked. */
export interface GivenReason {
  /** Without spaces around it; empty if none was given. */
  readonly reason: string;
  /** The end of a sanction; null for until it is lifted. Absent unless the dialog asks for a duration. */
  readonly until?: string | null;
}

export interface ReasonDialogProps
  extends Omit<ConfirmDialogProps, "work" | "answers">,
    Pick<ReasonFieldProps, "templates" | "hint" | "required"> {
  /** The reason to begin with. */
  readonly reason?: string;
  /** The duration to begin with, for sanctions. */
  readonly duration?: Duration;
  /** Where to return to after a fresh proof, for what cannot be undone. */
  readonly again?: string;
  readonly work: (client: Client, given: GivenReason) => Promise<unknown>;
}

/** Confirms an act of staff or operators with its reason and, for sanctions, a duration. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { reason: initial = "", duration: firstDuration, again, work, missing, children, ...rest } = props;
  const { templates, hint, required, ...confirm } = rest;
  const { t } = useWords();
  const [reason, setReason] = useState(initial);
  const [duration, setDuration] = useState(firstDuration);
  return (
    <ConfirmDialog
      {...confirm}
      answers={again === undefined ? undefined : { [PROVE_AGAIN_CODE]: <ProveAgain next={again} /> }}
      missing={() => missing?.() ?? (required && !reason.trim() ? t("reason.needed") : null)}
      work={(client) =>
        work(client, {
          reason: reason.trim(),
          ...(duration === undefined ? {} : { until: endOf(duration) }),
        })
      }
    >
      {children}
      {duration === undefined ? null : <DurationField value={duration} onChange={setDuration} />}
      <ReasonField
        value={reason}
        onChange={setReason}
        required={required}
        templates={templates}
        hint={hint}
      />
    </ConfirmDialog>
  );
}
