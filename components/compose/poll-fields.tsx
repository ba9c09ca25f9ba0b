"use client";

import { Plus, X } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Note } from "@/components/ui/notes";
import { LIMITS } from "@/lib/contract/limits";
import type { PollDraft } from "./draft";
import { fieldTime, type PollProblems } from "./post-body";

export interface PollFieldsProps {
  readonly poll: PollDraft;
  readonly onChange: (poll: PollDraft) => void;
  readonly onRemove: () => void;
  readonly problems: PollProblems | null;
  /** The server's error about it. */
  readonly error: string | null;
  /** Number of votes; with any, the options are frozen. */
  readonly votes: number;
  /** Whether it was added just now and receives the focus. */
  readonly isNew: boolean;
  /** Whether it can have secret ballots. */
  readonly mayBeSecret?: boolean;
}

/** The fields of a poll: question, options, multiple choice, closing time. */
export function PollFields({
  poll,
  onChange,
  onRemove,
  problems,
  error,
  votes,
  isNew,
  mayBeSecret,
}: PollFieldsProps) {
  const { t } = useWords();
  const id = useId();
  const root = useRef<HTMLFieldSetElement>(null);
  const frozen = votes > 0;
  useEffect(() => {
    if (isNew) root.current?.querySelector("input")?.focus();
  }, [isNew]);
  const setOption = (index: number, text: string) =>
    onChange({ ...poll, options: poll.options.with(index, text) });
  const removeOption = (index: number) => {
    onChange({ ...poll, options: poll.options.toSpliced(index, 1) });
    focusOption(Math.max(0, index - 1));
  };
  const addOption = () => {
    onChange({ ...poll, options: [...poll.options, ""] });
    focusOption(poll.options.length);
  };
  const focusOption = (index: number) =>
    requestAnimationFrame(() =>
      root.current?.querySelectorAll<HTMLInputElement>("[data-option]")[index]?.focus(),
    );
  const optionsError = problems?.options
    ? t(`composer.pollProblems.${problems.options}`, { max: LIMITS.poll.option })
    : error;
  return (
    <fieldset ref={root} className="grid gap-4 rounded-sheet border bg-sheet p-4">
      <legend className="sr-only">{t("post.poll")}</legend>
      <div className="flex items-center justify-between gap-3">
        <p aria-hidden="true" className="font-serif text-lg font-semibold">
          {t("post.poll")}
        </p>
        <Button size="sm" tone="quiet" onClick={onRemove}>
          {t("composer.pollRemove")}
        </Button>
      </div>
      {frozen ? <Note>{t("composer.pollFrozen", { n: votes })}</Note> : null}
      <Field
        label={t("composer.pollQuestion")}
        error={
          problems?.question
            ? t(`composer.pollProblems.${problems.question}`, { max: LIMITS.poll.question })
            : null
        }
      >
        {(control) => (
          <Input
            {...control}
            dir="auto"
            maxLength={LIMITS.poll.question}
            value={poll.question}
            onChange={(event) => onChange({ ...poll, question: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-2">
        <p className="text-sm font-medium">
          {t("composer.pollOptions", { min: LIMITS.poll.minOptions, max: LIMITS.poll.maxOptions })}
        </p>
        <ol className="grid gap-2">
          {poll.options.map((option, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option has no identity but its position until it is sent
            <li key={index} className="flex gap-2">
              <Input
                data-option=""
                dir="auto"
                aria-label={t("composer.pollOption", { n: index + 1 })}
                aria-invalid={optionsError ? true : undefined}
                aria-describedby={`${id}-options`}
                maxLength={LIMITS.poll.option}
                disabled={frozen}
                value={option}
                onChange={(event) => setOption(index, event.target.value)}
              />
              {poll.options.length > LIMITS.poll.minOptions && !frozen ? (
                <IconButton
                  label={t("composer.pollOptionRemove", { n: index + 1 })}
                  onClick={() => removeOption(index)}
                >
                  <X className="size-4.5" aria-hidden />
                </IconButton>
              ) : null}
            </li>
          ))}
        </ol>
        {poll.options.length < LIMITS.poll.maxOptions && !frozen ? (
          <Button size="sm" className="w-fit" onClick={addOption}>
            <Plus className="size-4" aria-hidden />
            {t("composer.pollOptionAdd")}
          </Button>
        ) : null}
        <p id={`${id}-options`} role="alert" className="text-sm text-seal empty:hidden">
          {optionsError}
        </p>
      </div>
      <label className="tap flex w-fit items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-(--ink)"
          disabled={frozen}
          checked={poll.multipleChoice}
          onChange={(event) => onChange({ ...poll, multipleChoice: event.target.checked })}
        />
        {t("composer.pollMultiple")}
      </label>
      {mayBeSecret ? (
        <div className="grid gap-0.5">
          <label className="tap flex w-fit items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-(--ink)"
              aria-describedby={`${id}-secret`}
              checked={poll.isSecret ?? false}
              onChange={(event) => onChange({ ...poll, isSecret: event.target.checked })}
            />
            {t("composer.pollSecret")}
          </label>
          <p id={`${id}-secret`} className="text-sm text-soft">
            {t("composer.pollSecretHint")}
          </p>
        </div>
      ) : null}
      <Field
        label={t("composer.pollCloses")}
        hint={t("composer.pollClosesHint")}
        error={problems?.closesAt ? t(`composer.pollProblems.${problems.closesAt}`) : null}
      >
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            className="max-w-64"
            min={fieldTime(new Date())}
            value={poll.closesAt}
            onChange={(event) => onChange({ ...poll, closesAt: event.target.value })}
          />
        )}
      </Field>
    </fieldset>
  );
}
