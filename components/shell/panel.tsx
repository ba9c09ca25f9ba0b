import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";

/** A titled box. */
export function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="grid gap-3 rounded-sheet border bg-sheet p-4">
      <h2 className="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}

export interface SectionProps {
  /** Id of the heading, for links. */
  readonly id: string;
  readonly title: string;
  /** Without a line above. */
  readonly first?: boolean;
  readonly children: ReactNode;
}

/** A section of a page with its own heading, below a line. */
export function Section({ id, title, first, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className={cx("grid gap-4", !first && "border-t pt-5")}>
      <h2 id={id} className="font-serif text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
