import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx";

const boxClass =
  "ease w-full rounded-control border border-line-strong bg-sheet px-3 text-ink placeholder:text-soft aria-invalid:border-seal disabled:opacity-60";

/** Props that a Field passes to its control. */
export interface ControlProps {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

export interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong and what to do; screen readers announce it. */
  readonly error?: string | null;
  readonly children: (control: ControlProps) => ReactNode;
}

/** A control with its label, hint and error, connected for assistive technology. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      ) : null}
      <p id={`${id}-error`} role="alert" className="text-sm text-seal empty:hidden">
        {error}
      </p>
    </div>
  );
}

/** A single line of text. */
export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={cx(boxClass, "tap h-10 text-base", className)} />;
}

/** Several lines of text; grows with its content where the browser supports it. */
export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea {...rest} className={cx(boxClass, "field-sizing-content min-h-24 py-2 text-base", className)} />
  );
}

/** The native select element. */
export function Select({ className, ...rest }: ComponentProps<"select">) {
  return <select {...rest} className={cx(boxClass, "tap h-10 text-base", className)} />;
}

interface TextProps extends Omit<FieldProps, "children"> {
  readonly value: string;
  readonly onValue: (text: string) => void;
}

type ControlOf<T extends "input" | "textarea"> = TextProps &
  Omit<ComponentProps<T>, keyof TextProps | "onChange">;

/** A single line of text with its label. */
export function TextField({ label, hint, error, onValue, ...rest }: ControlOf<"input">) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...control} {...rest} onChange={(event) => onValue(event.target.value)} />}
    </Field>
  );
}

/** Several lines of text with their label. */
export function TextAreaField({ label, hint, error, onValue, ...rest }: ControlOf<"textarea">) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Textarea {...control} {...rest} onChange={(event) => onValue(event.target.value)} />}
    </Field>
  );
}
