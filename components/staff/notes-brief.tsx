"use client";

import { useWords } from "#words";
import { ErrorNote, Skeleton } from "@/components/ui/notes";
import { NoteText } from "./note-text";
import { useNotes } from "./use-notes";

export interface NotesBriefProps {
  readonly topicId: string;
  readonly userId: string;
}

/** What the staff noted about a user, to read before a sanction. */
export function NotesBrief({ topicId, userId }: NotesBriefProps) {
  const { t } = useWords();
  const { notes, problem } = useNotes(topicId, userId);
  if (problem) return <ErrorNote>{problem}</ErrorNote>;
  if (!notes) return <Skeleton className="h-16" />;
  if (notes.length === 0) return null;
  return (
    <section
      aria-label={t("notes.list")}
      className="grid gap-2 rounded-sheet border border-line bg-wash px-4 py-3"
    >
      <h3 className="text-sm font-medium">{t("notes.list")}</h3>
      <ul className="grid max-h-40 gap-2 overflow-y-auto">
        {notes.map((note) => (
          <li key={note.id}>
            <NoteText note={note} />
          </li>
        ))}
      </ul>
    </section>
  );
}
