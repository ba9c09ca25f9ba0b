"use client";

import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { api, codeOf, contract, sentence } from "@/components/api";
import { toast } from "@/components/ui/toast";
import { readDraft, writeDraft } from "@/lib/client/drafts";
import { type Draft, isEmptyDraft, isSameDraft, newPostDraft } from "./draft";

const SAVE_AFTER_MS = 3_000;

export interface ServerDraft {
  /** Whether the writer asked for it. */
  readonly isOn: boolean;
  readonly turn: (on: boolean) => void;
  /** Another device saved a different version; nothing is saved until the writer decides. */
  readonly theirs: Draft | null;
  readonly takeTheirs: () => void;
  readonly keepMine: () => void;
  /** Deletes it: the post was sent. A discarded draft is empty, and is deleted as its next save. */
  readonly end: () => void;
}

export interface ServerDraftOptions {
  readonly topicId: string;
  readonly draft: Draft;
  /** Shows another version in the form. */
  readonly show: (draft: Draft) => void;
}

/** Keeps a draft on the server for the writer's other devices, if they ask for it. */
export function useServerDraft({ topicId, draft, show }: ServerDraftOptions): ServerDraft {
  const words = useWords();
  const [isOn, setOn] = useState(false);
  const [theirs, setTheirs] = useState<Draft | null>(null);
  const latest = useRef({ draft, show });
  latest.current = { draft, show };
  /** The version that this page changed, and what it said. */
  const known = useRef<{ readonly version: number | null; readonly draft: Draft | null }>(nothing);
  const saving = useRef<Promise<void>>(Promise.resolve());
  const hasEnded = useRef(false);

  const load = useRef(async () => {
    const { draft: found } = await api.call(contract.drafts.get, { topicId });
    if (!found || hasEnded.current) {
      known.current = nothing;
      return;
    }
    setOn(true);
    known.current = { version: found.version, draft: found.content };
    // What this device saved last and then went on with is its own.
    if (readDraft(versionName(topicId)) === String(found.version)) return;
    if (isSameDraft(found.content, latest.current.draft)) return;
    if (isEmptyDraft(latest.current.draft)) latest.current.show(found.content);
    else setTheirs(found.content);
  }).current;
  const save = useRef(async () => {
    const now = latest.current.draft;
    if (hasEnded.current || (known.current.draft && isSameDraft(now, known.current.draft))) return;
    const { version } = known.current;
    try {
      if (isEmptyDraft(now)) {
        if (version !== null) await api.call(contract.drafts.delete, { topicId });
        known.current = nothing;
        return;
      }
      const { draft: saved } = await api.call(contract.drafts.save, { topicId, content: now, version });
      known.current = { version: saved.version, draft: now };
      writeDraft(versionName(topicId), String(saved.version));
    } catch (cause) {
      if (codeOf(cause) === "draft_changed") return load();
      // Without a network, the next change tries again: this device has the draft in any case.
      if (codeOf(cause) !== "too_many_drafts") return;
      setOn(false);
      toast({ text: sentence(words, cause), tone: "wrong" });
    }
  });
  useEffect(() => {
    load().catch(() => undefined);
  }, [load]);
  useEffect(() => {
    if (!isOn || theirs || (known.current.draft && isSameDraft(draft, known.current.draft))) return;
    const timer = setTimeout(() => {
      saving.current = saving.current.then(() => save.current());
    }, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, isOn, theirs]);

  const remove = () => {
    known.current = nothing;
    writeDraft(versionName(topicId), null);
    saving.current = saving.current.then(async () => {
      await api.call(contract.drafts.delete, { topicId }).catch(() => undefined);
    });
  };
  return {
    isOn,
    turn: (on) => {
      setOn(on);
      if (!on) remove();
    },
    theirs,
    takeTheirs: () => {
      if (theirs) show(theirs);
      setTheirs(null);
    },
    keepMine: () => setTheirs(null),
    end: () => {
      hasEnded.current = true;
      if (isOn) remove();
    },
  };
}

const nothing = { version: null, draft: null } as const;

/** Storage name of the version that this device saved last. */
const versionName = (topicId: string) => `${newPostDraft(topicId)}.version`;
