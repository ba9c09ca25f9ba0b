import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";

export interface SectionProps {
  /** Name of the anchor. */
  readonly id: string;
  readonly title: string;
  /** Nothing stands above it: no hairline. */
  readonly first?: boolean;
  readonly children: ReactNode;
}

/** A part of a page with a heading of its own, below a hairline. */
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
