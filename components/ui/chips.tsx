import Link from "next/link";
import { cx } from "./cx";

export interface Chip {
  readonly href: string;
  readonly label: string;
  readonly current: boolean;
}

/** A choice within a tab; links like the tabs themselves. */
export function Chips({ label, chips }: { readonly label: string; readonly chips: readonly Chip[] }) {
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap gap-2">
        {chips.map((chip) => (
          <li key={chip.href}>
            <Link
              href={chip.href}
              scroll={false}
              aria-current={chip.current ? "page" : undefined}
              className={cx(
                "ease tap inline-flex h-8 items-center rounded-full border px-3 text-sm whitespace-nowrap",
                chip.current ? "border-ink bg-ink text-paper" : "bg-sheet hover:border-line-strong",
              )}
            >
              {chip.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
