"use client";

import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { ApiError, codeOf, sentence } from "@/components/api";
import { LIMITS } from "@/lib/contract/limits";
import { type Draft, emptyDraft, isEmptyDraft, isSameDraft } from "./draft";
import { contentOf, picturesIn, textAttribute } from "./picture-text";
import { type Part, type Problems, partOf, problemsOf } from "./problems";
import { deleteUploads, uploadTools } from "./upload-tools";
import { Uploads } from "./uploads";
import { useComposerEditor } from "./use-composer-editor";
import { useDraft } from "./use-draft";
import { withVideo } from "./videos";

/** How long a discarded draft can be taken back, in milliseconds. */
const UNDO_MS = 20_000;

export interface PostFormOptions {
  readonly topicId: string;
  /** Name under which the draft is kept. */
  readonly name: string;
  /** What the form begins with. */
  readonly initial: Draft;
  /** What need not be kept: nothing, or the post as it stands. */
  readonly untouched: Draft;
  /** What was uploaded for the draft in earlier visits. */
  readonly uploaded: readonly string[];
  readonly isRestored: boolean;
  /** Sends it. @throws what the form shall say */
  readonly send: (draft: Draft) => Promise<void>;
}

/** Something that the server or a check said of the form, by the part it stands at. */
export type Said = Readonly<Partial<Record<Part | "form", string>>>;

/** State and actions of the form in which posts are written and changed. */
export function usePostForm(options: PostFormOptions) {
  const words = useWords();
  const { t } = words;
  const { initial, untouched } = options;
  const [draft, setDraft] = useState(initial);
  const [uploads] = useState(() => new Uploads(uploadTools));
  const [problems, setProblems] = useState<Problems>({});
  const [said, setSaid] = useState<Said>({});
  const [announced, setAnnounced] = useState("");
  const [undescribed, setUndescribed] = useState(0);
  const [busy, setBusy] = useState<"waiting" | "sending" | null>(null);
  const [discarded, setDiscarded] = useState<Draft | null>(null);
  const [isRestored, setRestored] = useState(options.isRestored);
  const earlier = useRef(options.uploaded);
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
    // What is on its way is in no draft yet.
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
    kept.keepMine();
  };
  // Once it cannot be taken back any more, what was uploaded for it goes.
  const finish = useRef(() => {});
  finish.current = () => {
    if (!discarded) return;
    setDiscarded(null);
    kept.keepMine();
    void deleteUploads(uploaded().filter((url) => !draft.content.includes(url)));
    earlier.current = [];
  };
  const isBegunAnew = discarded !== null && !isSameDraft(draft, untouched);
  useEffect(() => {
    if (isBegunAnew) finish.current();
  }, [isBegunAnew]);
  useEffect(() => {
    if (!discarded) return;
    const timer = setTimeout(() => finish.current(), UNDO_MS);
    return () => clearTimeout(timer);
  }, [discarded]);
  useEffect(() => () => finish.current(), []);

  /** Whether every upload of the text arrived. */
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
  const submit = async (anyway = false) => {
    if (busy || !editor) return;
    setSaid({});
    // Pictures on their way make a post, too.
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
      await options.send(post);
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
    /** Its writer leaves without it: nothing is kept, and what was uploaded for it goes. */
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
