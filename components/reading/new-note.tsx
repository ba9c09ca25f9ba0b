import type { ReactNode } from "react";

interface NewNoteProps {
  /** How much is new. */
  readonly text: string;
  /** A link to it. */
  readonly children: ReactNode;
}

/** Says above a list how much of it is new to the reader. */
export function NewNote({ text, children }: NewNoteProps) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 pt-3 text-sm">
      <span className="font-medium">{text}</span>
      {children}
    </p>
  );
}
