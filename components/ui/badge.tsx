import type { ReactNode } from "react";
import { cx } from "./cx";

const badgeTones = {
  plain: "border-line text-soft",
  seal: "border-seal/40 text-seal",
  warning: "border-amber/50 text-amber",
  good: "border-moss/50 text-moss",
} as const;

interface BadgeProps {
  readonly tone?: keyof typeof badgeTones;
  readonly children: ReactNode;
}

/** A short label. */
export function Badge({ tone = "plain", children }: BadgeProps) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1 rounded-full border px-2 py-px text-xs font-medium whitespace-nowrap",
        badgeTones[tone],
      )}
    >
      {children}
    </span>
  );
}
