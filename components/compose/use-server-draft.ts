"use client";

import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { api, codeOf, contract, sentence } from "@/components/api";
import { toast } from "@/components/ui/toast";
import { readDraft, writeDraft } from "@/lib/client/drafts";
import { type Draft, isEmptyDraft, isSameDraft, newPostDraft } from "./draft";

const SAVE_AFTER_MS = 3_000;
/** A question that the network never answers must not hold up what is to be saved after it. */
const ANSWER_MS = 10_000;
const patient = () => ({ signal: AbortSignal.timeout(ANSWER_MS) });
/** The page may be left meanwhile. */
const outliving = () => ({ keepalive: true, ...patient() });

export interface ServerDraft {
  /** Whether the writer asked for it. */
  readonly isOn: boolean;
  readonly turn: (on: boolean) => void;
  /** Another device saved a different version; nothing is saved until the writer decides. */
  readonly theirs: Draft | null;
  readonly takeTheirs: () => void;
  readonly keepMine: () => void;
  /** Deletes it: the post was sent. A discarded draft is empty; its next save deletes it. */
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
  const latest = useRef({ draft, show, isSaved: false });
  latest.current = { draft, show, isSaved: isOn && theirs === null };
  /** The version that this page changed, and what it said. */
  const known = useRef<{ readonly version: number | null; readonly draft: Draft | null }>(nothing);
  const hasEnded = useRef(false);

  const load = useRef(async () => {
    const { draft: found } = await api.call(contract.drafts.get, { topicId }, patient());
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
    const { draft: now, isSaved } = latest.current;
    if (!isSaved || hasEnded.current || (known.current.draft && isSameDraft(now, known.current.draft)))
      return;
    const { version } = known.current;
    try {
      if (isEmptyDraft(now)) {
        if (version !== null) await api.call(contract.drafts.delete, { topicId }, outliving());
        known.current = nothing;
        return;
      }
      const input = { topicId, content: now, version };
      const { draft: saved } = await api.call(contract.drafts.save, input, outliving());
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
  const saveNow = useRef(() => inTurn(() => save.current())).current;
  useEffect(() => inTurn(load), [load]);
  useEffect(() => {
    if (!isOn || theirs || (known.current.draft && isSameDraft(draft, known.current.draft))) return;
    const timer = setTimeout(saveNow, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, isOn, theirs, saveNow]);
  // The last words before the writer turns to another device must be there.
  useEffect(() => {
    const onHidden = () => {
      if (document.visibilityState === "hidden") saveNow();
    };
    document.addEventListener("visibilitychange", onHidden);
    return () => {
      document.removeEventListener("visibilitychange", onHidden);
      saveNow();
    };
  }, [saveNow]);

  const remove = (failed: (cause: unknown) => void = () => undefined) =>
    inTurn(async () => {
      await api.call(contract.drafts.delete, { topicId }, outliving()).then(() => {
        known.current = nothing;
        writeDraft(versionName(topicId), null);
      }, failed);
    });
  return {
    isOn,
    turn: (on) => {
      setOn(on);
      if (on) return;
      remove((cause) => {
        setOn(true);
        toast({ text: sentence(words, cause), tone: "wrong" });
      });
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

let last: Promise<void> = Promise.resolve();

/** Does one thing after the other, also across pages: whoever comes back at once must find what was just saved. */
function inTurn(work: () => Promise<void>): void {
  last = last.then(work).catch(() => undefined);
}

const nothing = { version: null, draft: null } as const;

/** Storage name of the version that this device saved last. */
const versionName = (topicId: string) => `${newPostDraft(topicId)}.version`;
