"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button, IconButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextAreaField } from "@/components/ui/field";
import { ErrorNote, Skeleton } from "@/components/ui/notes";
import { LIMITS } from "@/lib/contract/limits";
import type { StaffNote } from "@/lib/contract/notes";
import { NoteText } from "./note-text";
import { useNotes } from "./use-notes";
import { useOptimisticRows } from "./use-optimistic-rows";

export interface NotesDialogProps {
  readonly topicId: string;
  readonly person: { readonly userId: string; readonly nickname: string };
  readonly onClose: () => void;
}

/** The staff's notes about a user: read, write and delete. */
export function NotesDialog({ topicId, person, onClose }: NotesDialogProps) {
  const { t } = useWords();
  const { userId, nickname: name } = person;
  const { notes, problem } = useNotes(topicId, userId);
  return (
    <Dialog open onClose={onClose} title={t("notes.title", { name })}>
      <p className="text-soft">{t("notes.text", { name })}</p>
      {problem ? <ErrorNote>{problem}</ErrorNote> : null}
      {notes ? (
        <Notes topicId={topicId} userId={userId} loaded={notes} />
      ) : problem ? null : (
        <Skeleton className="h-24" />
      )}
    </Dialog>
  );
}

interface NotesProps {
  readonly topicId: string;
  readonly userId: string;
  readonly loaded: readonly StaffNote[];
}

function Notes({ topicId, userId, loaded }: NotesProps) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [known, setKnown] = useState(loaded);
  const { shown, change, list } = useOptimisticRows(known, ({ id }) => id);
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const note = text.trim();
    if (!note) return setProblem(t("notes.needed"));
    setBusy(true);
    setProblem(null);
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.members.addNote, { topicId, userId, note }),
    );
    setBusy(false);
    if (!answer.ok) return setProblem(answer.sentence);
    setText("");
    setKnown((before) => [answer.value.note, ...before]);
    // The list of members counts them.
    router.refresh();
  };
  const remove = async (row: StaffNote) => {
    const result = await change({
      row,
      to: null,
      work: ({ api, contract }) => api.call(contract.members.deleteNote, { topicId, noteId: row.id }),
      done: t("notes.deleted"),
      outdated: ["note_not_found"],
    });
    if (result.ok || result.code === "note_not_found") {
      setKnown((before) => before.filter(({ id }) => id !== row.id));
    }
  };
  return (
    <>
      {shown.length === 0 ? <p className="text-soft">{t("notes.empty")}</p> : null}
      <ul ref={list} tabIndex={-1} aria-label={t("notes.list")} className="divide-y outline-none">
        {shown.map((note) => (
          <li key={note.id} className="flex items-start gap-2 py-2">
            <div className="min-w-0 flex-1">
              <NoteText note={note} />
            </div>
            {note.abilities.includes("delete") ? (
              <IconButton label={t("notes.delete")} onClick={() => void remove(note)}>
                <Trash2 className="size-4" aria-hidden />
              </IconButton>
            ) : null}
          </li>
        ))}
      </ul>
      <form onSubmit={(event) => void add(event)} noValidate className="grid gap-3">
        <TextAreaField
          label={t("notes.label")}
          error={problem}
          dir="auto"
          rows={2}
          maxLength={LIMITS.moderation.note}
          value={text}
          onValue={setText}
        />
        <Button type="submit" busy={busy} className="justify-self-end">
          {t("notes.add")}
        </Button>
      </form>
    </>
  );
}
