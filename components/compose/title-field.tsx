"use client";

import { useId } from "react";
import { useWords } from "#words";
import { cx } from "@/components/ui/cx";
import { LIMITS } from "@/lib/contract/limits";
import { near } from "./problems";

export interface TitleFieldProps {
  readonly value: string;
  readonly onChange: (title: string) => void;
  readonly error: string | null;
}

/** The title, written as the heading it will be. A long one wraps, and stays one line of text. */
export function TitleField({ value, onChange, error }: TitleFieldProps) {
  const { t } = useWords();
  const id = useId();
  const left = LIMITS.post.title - value.length;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="sr-only">
        {t("composer.titleLabel")}
      </label>
      <textarea
        id={id}
        value={value}
        rows={1}
        maxLength={LIMITS.post.title}
        dir="auto"
        placeholder={t("composer.titlePlaceholder")}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error ${id}-left`}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) event.preventDefault();
        }}
        onChange={(event) => onChange(event.target.value.replace(/\s*\n\s*/g, " "))}
        className="tap field-sizing-content w-full resize-none bg-transparent font-serif text-3xl font-semibold outline-none placeholder:text-soft"
      />
      <Left id={`${id}-left`} left={left} isNear={value.length >= near.title} />
      <p id={`${id}-error`} role="alert" className="text-sm text-seal empty:hidden">
        {error}
      </p>
    </div>
  );
}

/** How many characters are left, once that matters. */
export function Left(props: { readonly id: string; readonly left: number; readonly isNear: boolean }) {
  const { t } = useWords();
  const { id, left, isNear } = props;
  return (
    <p
      id={id}
      className={cx(
        "text-end text-sm text-soft tabular-nums empty:hidden",
        left < 0 && "font-medium text-seal",
      )}
    >
      {isNear ? (left < 0 ? t("composer.tooMany", { n: -left }) : t("composer.left", { n: left })) : null}
    </p>
  );
}
