import type { ReactNode } from "react";
import { cx } from "./cx";

/** A gray placeholder for content that is loading. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden="true" className={cx("skeleton rounded-control bg-wash", className)} />;
}

export interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly picture?: ReactNode;
}

/** Explains an empty list and offers the next step. */
export function EmptyState({ title, children, action, picture }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 rounded-sheet border border-dashed border-line-strong/50 px-6 py-12 text-center">
      {picture}
      <h2 className="font-serif text-xl font-semibold">{title}</h2>
      {children ? <div className="max-w-[46ch] text-soft">{children}</div> : null}
      {action ? <div className="mt-1 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}

export interface NoteProps {
  readonly tone?: keyof typeof noteTones;
  readonly title?: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

const noteTones = {
  plain: "border-line bg-wash",
  warning: "border-amber/40 bg-amber-wash",
  wrong: "border-seal/40 bg-seal-wash",
  good: "border-moss/40 bg-moss-wash",
} as const;

/** A highlighted note. */
export function Note({ tone = "plain", title, children, action }: NoteProps) {
  return (
    <div className={cx("grid gap-1 rounded-sheet border px-4 py-3", noteTones[tone])}>
      {title ? <p className="font-medium">{title}</p> : null}
      {children ? <div className="text-sm leading-relaxed">{children}</div> : null}
      {action ? <div className="mt-2 flex flex-wrap gap-2">{action}</div> : null}
    </div>
  );
}

/** An error message, which screen readers announce at once. */
export function ErrorNote(props: Omit<NoteProps, "tone">) {
  return (
    <div role="alert">
      <Note {...props} tone="wrong" />
    </div>
  );
}
