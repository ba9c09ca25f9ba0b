"use client";

import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { ApiError, api, codeOf, contract, sentence } from "@/components/api";
import { reader } from "@/components/offline/state";
import { claimDrafts } from "@/lib/client/drafts";
import type { Shared } from "@/lib/client/shared";
import { uploadImage } from "@/lib/client/upload";
import { LIMITS } from "@/lib/contract/limits";
import {
  type Draft,
  emptyDraft,
  isEmptyDraft,
  isSameDraft,
  loadKept,
  saveKept,
  withShared,
  withVideo,
} from "./draft";
import { contentOf, picturesIn, textAttribute } from "./picture-text";
import { prepare } from "./pictures";
import { type Part, type Problems, partOf, problemsOf } from "./post-body";
import { Uploads, type UploadTools } from "./uploads";
import { useComposerEditor } from "./use-composer-editor";
import { useDraft } from "./use-draft";

/** Time in which a discarded draft can be restored. */
const UNDO_MS = 20_000;

export interface PostFormOptions {
  readonly topicId: string;
  /** Storage name of the draft. */
  readonly name: string;
  /** A draft that need not be kept: an empty one, or the published post. */
  readonly untouched: Draft;
  /** What another app shared. */
  readonly shared?: Shared | null;
  /** Sends the draft. @throws the error that the form shows */
  readonly send: (draft: Draft) => Promise<void>;
}

/** Errors from the server or from a check, by the part of the form that shows them. */
export type Said = Readonly<Partial<Record<Part | "form", string>>>;

/** Returns the state and the actions of the form that writes and edits posts. */
export function usePostForm(options: PostFormOptions) {
  const words = useWords();
  const { t } = words;
  const { untouched } = options;
  const [found] = useState(() => restore(options.name));
  const [initial] = useState(() => withShared(found.draft, options.shared ?? null) ?? untouched);
  const [draft, setDraft] = useState(initial);
  const [uploads] = useState(() => new Uploads(uploadTools));
  const [problems, setProblems] = useState<Problems>({});
  const [said, setSaid] = useState<Said>({});
  const [announced, setAnnounced] = useState("");
  const [undescribed, setUndescribed] = useState(0);
  const [busy, setBusy] = useState<"waiting" | "sending" | null>(null);
  const [discarded, setDiscarded] = useState<Draft | null>(null);
  const [isRestored, setRestored] = useState(found.draft !== null);
  const earlier = useRef(found.uploads);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const uploaded = () => [...earlier.current, ...[...uploads.all().values()].flatMap(({ url }) => url ?? [])];

  const kept = useDraft({ name: options.name, draft, untouched, uploads: uploaded });
  const addVideo = (page: string): boolean => {
    const videos = withVideo(draft.videos, page);
    if (!videos) {
      setSaid({ media: t("composer.videosFull", { max: LIMITS.post.videos }) });
      return false;
    }
    change({ videos });
    setAnnounced(t("composer.videoAdded"));
    return true;
  };
  const { editor, mentions, addFiles } = useComposerEditor({
    topicId: options.topicId,
    content: initial.content,
    uploads,
    onContent: (content) => change({ content }),
    onVideo: addVideo,
    onLost: (n) => setSaid({ content: t("composer.picturesLost", { n }) }),
    onPictures: (n) => setAnnounced(t("composer.picturesAdded", { n })),
  });

  useEffect(() => {
    const back = () => uploads.retryUnanswered();
    // The draft has no upload that is still being sent.
    const onUnload = (event: BeforeUnloadEvent) => {
      const states = [...uploads.all().values()].map(({ state }) => state);
      if (states.includes("waiting") || states.includes("sending")) event.preventDefault();
    };
    window.addEventListener("online", back);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      window.removeEventListener("online", back);
      uploads.end();
    };
  }, [uploads]);

  const show = (next: Draft) => {
    setDraft(next);
    editor?.commands.setContent(next.content, { emitUpdate: false });
  };
  const discard = () => {
    kept.discard();
    setDiscarded(draft);
    setRestored(false);
    setProblems({});
    setSaid({});
    setUndescribed(0);
    show(untouched);
    editor?.commands.focus();
  };
  const undoDiscard = () => {
    if (discarded) show(discarded);
    setDiscarded(null);
    kept.keepMine(discarded ?? undefined);
  };
  // The uploads of a discarded draft are deleted once it can no longer be restored.
  const finish = useRef(() => {});
  finish.current = () => {
    if (!discarded) return;
    setDiscarded(null);
    kept.keepMine();
    void deleteUploads(uploaded().filter((url) => !draft.content.includes(url)));
    earlier.current = [];
  };
  const isStartedOver = discarded !== null && !isSameDraft(draft, untouched);
  useEffect(() => {
    if (isStartedOver) finish.current();
  }, [isStartedOver]);
  useEffect(() => {
    if (!discarded) return;
    const timer = setTimeout(() => finish.current(), UNDO_MS);
    return () => clearTimeout(timer);
  }, [discarded]);
  useEffect(() => () => finish.current(), []);

  /** Waits for the uploads. @returns whether every picture of the text was uploaded */
  const awaitUploads = async (): Promise<boolean> => {
    if (!editor) return false;
    const ids = () =>
      picturesIn(editor.state.doc).flatMap(({ node }) =>
        textAttribute(node, "src") ? [] : (textAttribute(node, "upload") ?? []),
      );
    setBusy("waiting");
    await uploads.settled(ids());
    return ids().length === 0;
  };
  const fail = (part: Part | "form", text: string) => {
    setSaid({ [part]: text });
    setBusy(null);
  };
  /** @param send what to do with the post instead of posting it */
  const submit = async (anyway = false, send = options.send) => {
    if (busy || !editor) return;
    setSaid({});
    // A post may consist of pictures that are still being uploaded.
    const pictures = picturesIn(editor.state.doc);
    const written = { ...draft, content: contentOf(editor) || (pictures.length > 0 ? " " : "") };
    const isKeptPoll = JSON.stringify(draft.poll) === JSON.stringify(untouched.poll);
    const found = problemsOf(written, { now: Date.now(), keptPoll: isKeptPoll });
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    const without = pictures.filter(({ node }) => textAttribute(node, "alt") === null).length;
    setUndescribed(anyway ? 0 : without);
    if (without > 0 && !anyway) return;
    if (!(await awaitUploads())) return fail("content", t("composer.pictureNotSent"));
    setBusy("sending");
    const post = { ...draft, title: draft.title.trim(), content: contentOf(editor) };
    try {
      await send(post);
    } catch (cause) {
      const named = cause instanceof ApiError ? partOf(cause.body?.field) : null;
      const part = codeOf(cause) === "poll_frozen" ? "poll" : named;
      return fail(part ?? "form", sentence(words, cause));
    }
    kept.end();
    void deleteUploads(uploaded().filter((url) => !post.content.includes(url)));
  };
  return {
    draft,
    change,
    show,
    editor,
    mentions,
    addFiles,
    addVideo,
    uploads,
    kept,
    problems,
    said,
    announced,
    undescribed,
    busy,
    isRestored,
    isDiscarded: discarded !== null,
    isUntouched: isSameDraft(draft, untouched) || (isEmptyDraft(draft) && untouched === emptyDraft),
    discard,
    undoDiscard,
    /** The author leaves without it: deletes the draft and its uploads. */
    abandon: () => {
      kept.end();
      void deleteUploads(uploaded());
    },
    takeTheirs: () => {
      const theirs = kept.elsewhere?.draft;
      kept.takeTheirs();
      if (theirs) show(theirs);
    },
    submit,
  };
}

export type PostForm = ReturnType<typeof usePostForm>;

/** How this browser uploads the pictures of posts. */
const uploadTools: UploadTools = {
  prepare,
  send: (file, options) => uploadImage(file, { purpose: "post", ...options }),
  preview: (file) => URL.createObjectURL(file),
  forgetPreview: (preview) => URL.revokeObjectURL(preview),
};

/** Deletes the uploads that no post shows, which the server knows. A failed deletion leaves an address nobody knows. */
async function deleteUploads(urls: readonly string[]): Promise<void> {
  if (urls.length === 0) return;
  await api.call(contract.uploads.delete, { urls: [...urls], unusedOnly: true }).catch(() => undefined);
}

/** Loads this user's stored draft. A discarded one is deleted for good, with its uploads. */
function restore(name: string): { readonly draft: Draft | null; readonly uploads: readonly string[] } {
  const userId = reader();
  if (userId) claimDrafts(userId);
  const kept = loadKept(name);
  if (!kept) return { draft: null, uploads: [] };
  if (!kept.isDiscarded) return kept;
  saveKept(name, null);
  void deleteUploads(kept.uploads);
  return { draft: null, uploads: [] };
}
