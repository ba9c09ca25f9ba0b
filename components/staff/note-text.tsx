import { useWords } from "#words";
import { MemberLink } from "@/components/ui/member-name";
import { TimeAgo } from "@/components/ui/time-ago";
import type { StaffNote } from "@/lib/contract/notes";

/** A note of the staff, with who wrote it and when. */
export function NoteText({ note }: { readonly note: StaffNote }) {
  const { t } = useWords();
  return (
    <>
      <p dir="auto" className="break-words whitespace-pre-line">
        {note.note}
      </p>
      <p className="text-sm text-soft">
        <span className="sr-only">{t("notes.by")} </span>
        <MemberLink of={note.author.nickname} /> · <TimeAgo at={note.createdAt} />
      </p>
    </>
  );
}
