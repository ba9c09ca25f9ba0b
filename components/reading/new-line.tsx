import { ArrowUp } from "lucide-react";
import { useWords } from "#words";

/**
 * The line between what is new to the reader and what they have read.
 * @param above whether what is new is above it, in a list with the newest first
 */
export function NewLine({ above = false }: { readonly above?: boolean }) {
  const { t } = useWords();
  return (
    <p className="flex items-center gap-3 py-2 text-xs font-semibold text-sea">
      <span aria-hidden="true" className="h-px flex-1 bg-sea/40" />
      <span className="inline-flex items-center gap-1">
        {above ? <ArrowUp className="size-3.5" aria-hidden /> : null}
        {t("unread.newSince")}
      </span>
      <span aria-hidden="true" className="h-px flex-1 bg-sea/40" />
    </p>
  );
}
