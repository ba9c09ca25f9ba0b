import { BadgeCheck, ShieldAlert } from "lucide-react";

interface VerdictProps {
  readonly is: "good" | "bad" | "unknown";
  /** The sentence; null before there is any. */
  readonly says: string | null;
}

/** Says what a check in the reader's browser found, also to screen readers. */
export function Verdict({ is, says }: VerdictProps) {
  return (
    <p role="status" className="flex items-start gap-2 empty:hidden">
      {is === "good" ? <BadgeCheck className="mt-0.5 size-4 shrink-0 text-moss" aria-hidden /> : null}
      {is === "bad" ? <ShieldAlert className="mt-0.5 size-4 shrink-0 text-seal" aria-hidden /> : null}
      {says === null ? null : <span>{says}</span>}
    </p>
  );
}
