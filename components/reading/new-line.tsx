import { useWords } from "#words";

/** The line between what is new to the reader and what they have read. */
export function NewLine() {
  const { t } = useWords();
  return (
    <p className="flex items-center gap-3 py-2 text-xs font-semibold text-sea">
      <span aria-hidden="true" className="h-px flex-1 bg-sea/40" />
      {t("unread.newSince")}
      <span aria-hidden="true" className="h-px flex-1 bg-sea/40" />
    </p>
  );
}
