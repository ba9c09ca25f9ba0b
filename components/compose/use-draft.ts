"use client";

import { useEffect, useRef, useState } from "react";
import { draftKey } from "@/lib/client/drafts";
import { type Draft, isEmptyDraft, isSameDraft, type Kept, parseKept, saveKept } from "./draft";

const SAVE_AFTER_MS = 400;

/** Another tab wrote to the same draft: its version, or null when it sent it or threw it away. */
interface Elsewhere {
  readonly draft: Draft | null;
}

export interface DraftOptions {
  readonly name: string;
  readonly draft: Draft;
  /** What need not be kept: an empty post, or the one that is being changed. */
  readonly untouched: Draft;
  readonly uploads: () => readonly string[];
}

export interface KeptDraft {
  /** Set while another tab writes too; nothing is kept from here until the writer decided. */
  readonly elsewhere: Elsewhere | null;
  /** This tab goes on and keeps its own version. */
  readonly keepMine: () => void;
  /** This tab shows the version of the other one. */
  readonly takeTheirs: () => void;
  /** It was sent: nothing is kept any more. */
  readonly end: () => void;
  /** It was thrown away, until `keepMine`. */
  readonly discard: () => void;
}

/** Keeps a draft on this device while it is written. Two tabs do not overwrite each other: who comes second is asked. */
export function useDraft({ name, draft, untouched, uploads }: DraftOptions): KeptDraft {
  const [elsewhere, setElsewhere] = useState<Elsewhere | null>(null);
  const state = useRef<"keeping" | "asking" | "ended">("keeping");
  const latest = useRef({ draft, untouched, uploads });
  latest.current = { draft, untouched, uploads };
  /** As it was kept last: what has not changed since is not written again. */
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
    // Whoever leaves before the pause is over loses nothing.
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

  const goOn = (isDiscarded: boolean) => {
    state.current = isDiscarded ? "asking" : "keeping";
    setElsewhere(null);
    const { draft: now, uploads: list } = latest.current;
    last.current = now;
    const kept: Kept = { draft: now, uploads: [...list()], isDiscarded };
    saveKept(name, isEmptyDraft(now) ? null : kept);
  };
  return {
    elsewhere,
    keepMine: () => goOn(false),
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
