"use client";

import { useState } from "react";
import { useWords } from "#words";
import type { Client } from "@/components/call-api";
import { Field, Select } from "@/components/ui/field";
import { ActDialog } from "./act-dialog";
import { ReasonField } from "./reason-field";

const HOUR = 3_600_000;
/** How long a sanction may last, in milliseconds; null until it is lifted. */
const lengths = { hour: HOUR, day: 24 * HOUR, week: 168 * HOUR, month: 720 * HOUR, always: null } as const;
type Length = keyof typeof lengths;
const names: readonly Length[] = ["hour", "day", "week", "month", "always"];

export interface SanctionDialogProps {
  readonly kind: "mute" | "ban";
  readonly topicId: string;
  readonly person: { readonly userId: string; readonly nickname: string };
  /** What else is said and done with it. */
  readonly also?: {
    readonly text: string;
    readonly work: (client: Client, reason: string) => Promise<unknown>;
  };
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Mutes or bans somebody: for how long, and why. */
export function SanctionDialog({ kind, topicId, person, also, onDone, onClose }: SanctionDialogProps) {
  const { t } = useWords();
  const [length, setLength] = useState<Length>(kind === "mute" ? "day" : "always");
  const [reason, setReason] = useState("");
  const name = person.nickname;
  const text = t(`staff.${kind}Text`, { name });
  return (
    <ActDialog
      title={t(`staff.${kind}Title`, { name })}
      text={also ? `${text} ${also.text}` : text}
      confirm={t(`staff.${kind}Confirm`)}
      missing={() => (reason.trim() ? null : t("reason.needed"))}
      work={async (client) => {
        const ms = lengths[length];
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
            value={length}
            onChange={(event) => setLength(names.find((one) => one === event.target.value) ?? length)}
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
    </ActDialog>
  );
}
