import type { ReactNode } from "react";
import { cx } from "./cx";

export interface RadioCard<T extends string> {
  readonly value: T;
  readonly title: string;
  readonly description?: ReactNode;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
}

export interface RadioCardsProps<T extends string> {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly RadioCard<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly columns?: boolean;
}

/** Radio buttons with descriptions. */
export function RadioCards<T extends string>(props: RadioCardsProps<T>) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{props.legend}</legend>
      <div className={cx("grid gap-2", props.columns && "sm:auto-cols-fr sm:grid-flow-col")}>
        {props.options.map((option) => (
          <label
            key={option.value}
            className={cx(
              "ease relative flex items-start gap-3 rounded-sheet border border-line bg-sheet p-3",
              "has-checked:border-ink has-checked:shadow-[inset_0_0_0_1px_var(--ink)]",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-sea",
              option.disabled ? "opacity-55" : "cursor-pointer hover:border-line-strong",
            )}
          >
            <input
              type="radio"
              name={props.name}
              value={option.value}
              checked={props.value === option.value}
              disabled={option.disabled}
              onChange={() => props.onChange(option.value)}
              className="mt-1 size-4 shrink-0 accent-(--ink) outline-none"
            />
            <span className="grid min-w-0 gap-0.5">
              <span className="flex flex-wrap items-center gap-x-2 font-medium">
                {option.icon}
                {option.title}
              </span>
              {option.description ? <span className="text-sm text-soft">{option.description}</span> : null}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
