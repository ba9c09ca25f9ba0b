"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import type { StaffNote } from "@/lib/contract/notes";

interface LoadedNotes {
  /** Null until they are loaded. */
  readonly notes: readonly StaffNote[] | null;
  /** Why they could not be loaded. */
  readonly problem: string | null;
}

/** Loads the staff's notes about a user. */
export function useNotes(topicId: string, userId: string): LoadedNotes {
  const words = useWords();
  const [loaded, setLoaded] = useState<LoadedNotes>({ notes: null, problem: null });
  useEffect(() => {
    let isCurrent = true;
    void callApi(words, ({ api, contract }) => api.call(contract.members.notes, { topicId, userId })).then(
      (answer) => {
        if (!isCurrent) return;
        setLoaded(
          answer.ok
            ? { notes: answer.value.notes, problem: null }
            : { notes: null, problem: answer.sentence },
        );
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [words, topicId, userId]);
  return loaded;
}
