"use client";

import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { LIMITS } from "@/lib/contract/limits";
import { fieldTime } from "./post-body";

const DAY_MS = 86_400_000;

export interface PostLaterProps {
  readonly isDisabled: boolean;
  /** Schedules the post of the form. */
  readonly onTime: (at: Date) => void;
}

/** Publishes the post of the form at a time that its writer chooses. */
export function PostLater({ isDisabled, onTime }: PostLaterProps) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const [when, setWhen] = useState("");
  const [isWrong, setWrong] = useState(false);
  const { days } = LIMITS.scheduled;
  const begin = () => {
    setWhen(fieldTime(tomorrowMorning()));
    setWrong(false);
    setOpen(true);
  };
  const set = () => {
    const at = new Date(when);
    const ahead = at.getTime() - Date.now();
    if (!(ahead > 0 && ahead < days * DAY_MS)) return setWrong(true);
    setOpen(false);
    onTime(at);
  };
  return (
    <>
      <Button type="button" disabled={isDisabled} onClick={begin}>
        <CalendarClock className="size-4" aria-hidden />
        {t("composer.later")}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t("composer.laterTitle")}
        footer={
          <Button tone="primary" onClick={set}>
            {t("composer.laterSet")}
          </Button>
        }
      >
        <p>{t("composer.laterText")}</p>
        <Field label={t("composer.laterWhen")} error={isWrong ? t("composer.laterWrong", { days }) : null}>
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              value={when}
              onChange={(event) => setWhen(event.target.value)}
            />
          )}
        </Field>
      </Dialog>
    </>
  );
}

/** Tomorrow at nine, in the time zone of this device. */
function tomorrowMorning(): Date {
  const at = new Date();
  at.setDate(at.getDate() + 1);
  at.setHours(9, 0, 0, 0);
  return at;
}
