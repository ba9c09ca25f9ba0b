"use client";

import { useState } from "react";
import { useWords } from "#words";
import type { Client } from "@/components/call-api";
import { Field, Select } from "@/components/ui/field";
import { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog";
import { ReasonField } from "./reason-field";

const HOUR_MS = 3_600_000;
/** Durations of a sanction in milliseconds; null for an unlimited one. */
const DURATIONS = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 168 * HOUR_MS,
  month: 720 * HOUR_MS,
  always: null,
} as const;
type Duration = keyof typeof DURATIONS;
const names: readonly Duration[] = ["hour", "day", "week", "month", "always"];

export interface SanctionDialogProps extends Pick<ConfirmDialogProps, "onDone" | "onClose"> {
  readonly kind: "mute" | "ban";
  readonly topicId: string;
  readonly person: { readonly userId: string; readonly nickname: string };
  /** A further action after the sanction, and its explanation. */
  readonly also?: {
    readonly text: string;
    readonly work: (client: Client, reason: string) => Promise<unknown>;
  };
}

/** Mutes or bans a member, with a duration and a reason. */
export function SanctionDialog({ kind, topicId, person, also, onDone, onClose }: SanctionDialogProps) {
  const { t } = useWords();
  const [duration, setDuration] = useState<Duration>(kind === "mute" ? "day" : "always");
  const [reason, setReason] = useState("");
  const name = person.nickname;
  const text = t(`staff.${kind}Text`, { name });
  return (
    <ConfirmDialog
      title={t(`staff.${kind}Title`, { name })}
      text={also ? `${text} ${also.text}` : text}
      confirm={t(`staff.${kind}Confirm`)}
      missing={() => (reason.trim() ? null : t("reason.needed"))}
      work={async (client) => {
        const ms = DURATIONS[duration];
        await client.api.call(client.contract.moderation.sanction, {
          topicId,
          userId: person.userId,
          kind,
          reason: reason.trim(),
          until: ms === null ? null : new Date(Date.now() + ms).toISOString(),
        });
        await also?.work(client, reason.trim());
      }}
      done={t(kind === "mute" ? "staff.mutedNow" : "staff.bannedNow", { name })}
      onDone={onDone}
      onClose={onClose}
    >
      <Field label={t("staff.duration")}>
        {(control) => (
          <Select
            {...control}
            value={duration}
            onChange={(event) => setDuration(names.find((one) => one === event.target.value) ?? duration)}
          >
            {names.map((one) => (
              <option key={one} value={one}>
                {t(`staff.durations.${one}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ReasonField value={reason} onChange={setReason} required />
    </ConfirmDialog>
  );
}
