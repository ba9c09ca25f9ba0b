import { useWords } from "#words";
import { Note } from "@/components/ui/notes";

export interface HiddenNoteProps {
  readonly isMine: boolean;
  readonly isStaff: boolean;
}

/** Says of a hidden post who still reads it. */
export function HiddenNote({ isMine, isStaff }: HiddenNoteProps) {
  const { t } = useWords();
  const who = isStaff ? "Staff" : isMine ? "Author" : "Other";
  return (
    <Note tone="warning" title={t("moderate.hiddenPostTitle")}>
      {t(`moderate.hiddenPost${who}`)}
    </Note>
  );
}
