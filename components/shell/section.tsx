import type { ReactNode } from "react";

export interface SectionProps {
  /** Name of the anchor. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a page with a heading of its own, below a hairline. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="grid gap-4 border-t pt-5">
      <h2 id={id} className="font-serif text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
