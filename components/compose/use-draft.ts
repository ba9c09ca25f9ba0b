"use client";

import { useEffect, useRef, useState } from "react";
import { draftKey } from "@/lib/client/drafts";
import { type Draft, isEmptyDraft, isSameDraft, type Kept, parseKept, saveKept } from "./draft";

const SAVE_AFTER_MS = 400;

/** What another tab did with the same draft: its version, or null after it sent or discarded the draft. */
interface Elsewhere {
  readonly draft: Draft | null;
}

export interface DraftOptions {
  readonly name: string;
  readonly draft: Draft;
  /** A draft that need not be kept: an empty one, or the published post. */
  readonly untouched: Draft;
  readonly uploads: () => readonly string[];
}

export interface KeptDraft {
  /** Set when another tab wrote too; this tab stores nothing until the author decides. */
  readonly elsewhere: Elsewhere | null;
  /** Stores this tab's version. @param now the one that is about to be shown, if it is another */
  readonly keepMine: (now?: Draft) => void;
  /** Continues with the other tab's version. */
  readonly takeTheirs: () => void;
  /** Deletes the stored draft after it was sent. */
  readonly end: () => void;
  /** Marks the draft as discarded, until `keepMine`. */
  readonly discard: () => void;
}

/** Stores a draft on this device while it is written. Two tabs do not overwrite each other: the second one asks. */
export function useDraft({ name, draft, untouched, uploads }: DraftOptions): KeptDraft {
  const [elsewhere, setElsewhere] = useState<Elsewhere | null>(null);
  const state = useRef<"keeping" | "asking" | "ended">("keeping");
  const latest = useRef({ draft, untouched, uploads });
  latest.current = { draft, untouched, uploads };
  /** The version stored last; an unchanged draft is not written again. */
  const last = useRef(draft);

  const save = useRef(() => {
    const { draft: now, untouched: base, uploads: list } = latest.current;
    if (state.current !== "keeping" || isSameDraft(now, last.current)) return;
    last.current = now;
    const isNothing = isEmptyDraft(now) || isSameDraft(now, base);
    saveKept(name, isNothing ? null : { draft: now, uploads: [...list()], isDiscarded: false });
  }).current;

  useEffect(() => {
    if (isSameDraft(draft, last.current)) return;
    const timer = setTimeout(save, SAVE_AFTER_MS);
    // Leaving the page before the timer fires loses nothing.
    window.addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", save);
    };
  }, [draft, save]);
  useEffect(() => save, [save]);

  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key !== draftKey(name) || state.current === "ended") return;
      const kept = parseKept(newValue);
      const theirs = kept && !kept.isDiscarded ? kept.draft : null;
      if (theirs && isSameDraft(theirs, latest.current.draft)) return;
      if (!theirs && isEmptyDraft(latest.current.draft)) return;
      state.current = "asking";
      setElsewhere({ draft: theirs });
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, [name]);

  const goOn = (isDiscarded: boolean, now = latest.current.draft) => {
    state.current = isDiscarded ? "asking" : "keeping";
    setElsewhere(null);
    const { uploads: list } = latest.current;
    last.current = now;
    const kept: Kept = { draft: now, uploads: [...list()], isDiscarded };
    saveKept(name, isEmptyDraft(now) ? null : kept);
  };
  return {
    elsewhere,
    keepMine: (now) => goOn(false, now),
    takeTheirs: () => {
      state.current = "keeping";
      last.current = elsewhere?.draft ?? last.current;
      setElsewhere(null);
    },
    end: () => {
      state.current = "ended";
      saveKept(name, null);
    },
    discard: () => goOn(true),
  };
}
