import { cx } from "@/components/ui/cx";

export type SealKind = "domain" | "country" | "person";
type SealSize = "sm" | "md" | "lg";

const SCALLOPS = 14;
const CENTER = 24;
const RADIUS = 20.2;

/** Returns the outline of a scalloped disc in a 48-unit box. */
function scalloped(): string {
  const at = (i: number) => {
    const angle = (i / SCALLOPS) * 2 * Math.PI - Math.PI / 2;
    return `${(CENTER + RADIUS * Math.cos(angle)).toFixed(2)} ${(CENTER + RADIUS * Math.sin(angle)).toFixed(2)}`;
  };
  const bump = ((Math.PI * RADIUS) / SCALLOPS) * 1.04;
  const arcs = Array.from(
    { length: SCALLOPS },
    (_, i) => `A${bump.toFixed(2)} ${bump.toFixed(2)} 0 0 1 ${at(i + 1)}`,
  );
  return `M${at(0)}${arcs.join("")}Z`;
}
const outline = scalloped();

const glyphs: Record<SealKind, string> = {
  // An @ sign, drawn with one stroke.
  domain:
    "M28.6 24a4.6 4.6 0 1 1-9.2 0 4.6 4.6 0 0 1 9.2 0Zm0-4.6v5.8c0 4.4 6 3.4 6-1.2a10.6 10.6 0 1 0-4.6 8.7",
  country:
    "M24 13.4a10.6 10.6 0 1 0 0 21.2 10.6 10.6 0 0 0 0-21.2Zm-10.6 10.6h21.2M24 13.4c-5.6 6.3-5.6 14.9 0 21.2 5.6-6.3 5.6-14.9 0-21.2Z",
  person: "M28.8 19.4a4.8 4.8 0 1 1-9.6 0 4.8 4.8 0 0 1 9.6 0ZM15.4 34c0-5 3.9-7.6 8.6-7.6s8.6 2.6 8.6 7.6",
};

/** The paths of a seal in a 48-unit box, for images outside of HTML. */
export const sealPaths = { outline, glyphs } as const;

const sizes: Record<SealSize, string> = { sm: "size-5", md: "size-9", lg: "size-24" };

export interface SealMarkProps {
  readonly kind: SealKind;
  readonly size?: SealSize;
  /** Draws only the outline: the user has not proven this yet. */
  readonly empty?: boolean;
  readonly stamped?: boolean;
  readonly className?: string;
}

/** A seal: a scalloped disc with a glyph. It is decorative; its text is next to it. */
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
      <g className={cx(stamped && "stamp origin-center")}>
        <path
          d={outline}
          fill={empty ? "none" : "currentColor"}
          stroke={empty ? "currentColor" : "none"}
          strokeWidth="1.8"
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
        <path
          d={glyphs[kind]}
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
