import Link from "next/link";
import { cx } from "./cx";
import { LinkPending } from "./link-pending";

interface Pill {
  readonly href: string;
  readonly label: string;
  readonly icon?: string | null;
  readonly current: boolean;
}

export interface PillsProps {
  readonly label: string;
  readonly pills: readonly Pill[];
  /** Show one scrolling row on a phone. */
  readonly many?: boolean;
}

/** Links between views of the same list. */
export function Pills({ label, pills, many }: PillsProps) {
  return (
    <nav aria-label={label} className={many ? "-mx-4 md:mx-0" : undefined}>
      <ul
        className={cx(
          "flex gap-2",
          many ? "scrollbar-none overflow-x-auto px-4 py-0.5 md:flex-wrap md:px-0" : "flex-wrap",
        )}
      >
        {pills.map(({ href, label: name, icon, current }) => (
          <li key={href}>
            <Link
              href={href}
              scroll={false}
              aria-current={current ? "true" : undefined}
              className={cx(
                "ease tap inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap",
                current ? "border-ink bg-ink text-paper" : "bg-sheet hover:border-line-strong",
              )}
            >
              {icon ? <span aria-hidden="true">{icon}</span> : null}
              {name}
              <LinkPending />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
