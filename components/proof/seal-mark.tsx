import { cx } from "@/components/ui/cx";
import type { sealPaths } from "./seal-shapes";

export type SealKind = keyof typeof sealPaths.glyphs;
type SealSize = "sm" | "md" | "lg";

const sizes: Record<SealSize, string> = { sm: "size-5", md: "size-9", lg: "size-24" };

export interface SealMarkProps {
  readonly kind: SealKind;
  readonly size?: SealSize;
  /** Draws only the outline: the user has not proven this yet. */
  readonly empty?: boolean;
  readonly stamped?: boolean;
  readonly className?: string;
}

/**
 * A seal: a scalloped disc with a glyph. It is decorative; its text is next to it. The shapes are in the page's
 * `SealShapes`: lists repeat seals too often to repeat them.
 */
export function SealMark({ kind, size = "sm", empty, stamped, className }: SealMarkProps) {
  return (
    <svg
      viewBox="0 0 48 48"
      aria-hidden="true"
      className={cx("shrink-0 overflow-visible", sizes[size], empty ? "text-soft" : "text-seal", className)}
    >
      {stamped ? (
        <circle cx="24" cy="24" r="23" className="stamp-ring fill-none stroke-seal" strokeWidth="1.5" />
      ) : null}
      <g className={stamped ? "stamp origin-center" : undefined}>
        <use
          href="#seal-outline"
          fill={empty ? "none" : "currentColor"}
          stroke={empty ? "currentColor" : undefined}
          strokeWidth={empty ? "1.8" : undefined}
          strokeDasharray={empty ? "3 2.4" : undefined}
        />
        {size === "sm" || empty ? null : (
          <circle
            cx="24"
            cy="24"
            r="16.6"
            fill="none"
            className="stroke-on-seal"
            strokeOpacity="0.4"
            strokeWidth="0.9"
          />
        )}
        <use
          href={`#seal-${kind}`}
          fill="none"
          className={empty ? "stroke-current" : "stroke-on-seal"}
          strokeWidth={size === "sm" ? 3.2 : 2.2}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </g>
    </svg>
  );
}
