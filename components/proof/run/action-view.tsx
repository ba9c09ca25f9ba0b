import { useWords } from "#words";
import type { ActionLine } from "@/lib/proofs/attestation/action-lines";

export interface ActionViewProps {
  readonly lines: readonly ActionLine[];
  /** What values stand for that say little by themselves: a hash, a moment. */
  readonly notes?: readonly string[];
}

/** How far a line stands in; deeper than this it stays. */
const indents = ["", "ps-4", "ps-8", "ps-12", "ps-16"];

/** Every value of an EIP-712 action, in the order it is signed; nothing is shortened or folded away. */
export function ActionView({ lines, notes = [] }: ActionViewProps) {
  const { t } = useWords();
  return (
    <div className="grid gap-3 rounded-sheet border bg-wash px-4 py-3 text-sm">
      <dl aria-label={t("attested.action")} className="grid gap-2">
        {lines.map((line) => (
          <div key={line.path} className={indents[Math.min(line.depth, indents.length - 1)]}>
            <dt className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium" title={line.path}>
                {line.label}
              </span>
              <code className="font-mono text-xs text-soft">{line.type}</code>
            </dt>
            <dd className="font-mono break-all whitespace-pre-wrap">{line.value}</dd>
          </div>
        ))}
      </dl>
      {notes.map((note) => (
        <p key={note} className="text-soft">
          {note}
        </p>
      ))}
    </div>
  );
}
