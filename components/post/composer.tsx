"use client";

import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { sentence } from "@/components/api";
import { sendPost } from "@/components/outbox/send";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { ErrorNote } from "@/components/ui/notes";
import { toast } from "@/components/ui/toast";
import type { Shared } from "@/lib/client/shared";
import { type Draft, loadDraft, saveDraft, withShared } from "./draft";
import { Toolbar } from "./toolbar";

const SAVE_AFTER_MS = 400;
const MAX_TAGS = 5;

function tagList(text: string): string[] {
  return [
    ...new Set(
      text
        .split(",")
        .map((tag) => tag.trim().replace(/^#/, ""))
        .filter(Boolean),
    ),
  ];
}

export interface ComposerProps {
  readonly topicId: string;
  /** What another app shared; stands behind the draft, where there is one. */
  readonly shared?: Shared | null;
}

/** Writes a post; it looks like the post it will be. The draft is kept on this device until it is posted. */
export function Composer({ topicId, shared }: ComposerProps) {
  const words = useWords();
  const router = useRouter();
  const [restored] = useState<Draft | null>(() => withShared(loadDraft(topicId), shared ?? null));
  const [title, setTitle] = useState(restored?.title ?? "");
  const [tags, setTags] = useState(restored?.tags ?? "");
  const [content, setContent] = useState(restored?.content ?? "");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const posted = useRef(false);

  const editor = useEditor({
    // The server must not render the editor: its first paint would differ.
    immediatelyRender: false,
    // Its rules are in prose.css; an injected style element has no nonce.
    injectCSS: false,
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3] },
        link: { openOnClick: false, protocols: ["http", "https", "mailto"], defaultProtocol: "https" },
      }),
    ],
    content: restored?.content ?? "",
    editorProps: {
      attributes: {
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": words.t("composer.bodyLabel"),
        class: "prose-post",
        dir: "auto",
      },
    },
    onUpdate: ({ editor: now }) => setContent(now.isEmpty ? "" : now.getHTML()),
  });

  const isEmpty = !title && !content && !tags;
  useEffect(() => {
    const timer = setTimeout(() => {
      if (!posted.current) saveDraft(topicId, isEmpty ? null : { title, content, tags });
    }, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [topicId, title, content, tags, isEmpty]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!title.trim()) return setError(words.t("composer.emptyTitle"));
    if (!content) return setError(words.t("composer.emptyBody"));
    const list = tagList(tags);
    if (list.length > MAX_TAGS) return setError(words.t("composer.tooManyTags"));
    setBusy(true);
    setError(null);
    try {
      const sent = await sendPost({ topicId, title: title.trim(), content, tags: list });
      posted.current = true;
      saveDraft(topicId, null);
      if ("kept" in sent) toast({ text: words.t("offline.kept") });
      router.push("answer" in sent ? `/posts/${sent.answer.post.id}` : `/topics/${topicId}`);
    } catch (cause) {
      setError(sentence(words, cause));
      setBusy(false);
    }
  };

  const discard = () => {
    setTitle("");
    setTags("");
    editor?.commands.clearContent(true);
  };

  return (
    <form onSubmit={submit} className="grid gap-4">
      <label>
        <span className="sr-only">{words.t("composer.titleLabel")}</span>
        <textarea
          value={title}
          rows={1}
          maxLength={200}
          dir="auto"
          placeholder={words.t("composer.titlePlaceholder")}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
          // A long title wraps like the heading it will be, and stays one line of text.
          onChange={(event) => setTitle(event.target.value.replace(/\s*\n\s*/g, " "))}
          className="field-sizing-content w-full resize-none bg-transparent font-serif text-3xl font-semibold outline-none placeholder:text-soft/70"
        />
      </label>
      <div className="rounded-sheet border bg-sheet focus-within:border-line-strong">
        <Toolbar editor={editor} />
        <div className="relative px-4 py-4">
          {content ? null : (
            <p aria-hidden="true" className="pointer-events-none absolute font-serif text-lg text-soft/80">
              {words.t("composer.bodyPlaceholder")}
            </p>
          )}
          <EditorContent editor={editor} />
        </div>
      </div>
      <Field label={words.t("composer.tagsLabel")} hint={words.t("composer.tagsHint")}>
        {(control) => (
          <Input {...control} value={tags} dir="auto" onChange={(event) => setTags(event.target.value)} />
        )}
      </Field>
      {error ? <ErrorNote>{error}</ErrorNote> : null}
      <div className="sticky bottom-[calc(56px+env(safe-area-inset-bottom))] -mx-4 flex flex-wrap items-center gap-3 border-t bg-paper px-4 py-3 md:static md:mx-0 md:border-0 md:px-0 md:py-0">
        <Button type="submit" tone="primary" busy={busy}>
          {words.t("composer.post")}
        </Button>
        {isEmpty ? null : (
          <>
            <p className="text-sm text-soft">
              {restored ? words.t("composer.draftRestored") : words.t("composer.draftKept")}
            </p>
            <Button tone="quiet" size="sm" className="ms-auto" onClick={discard}>
              {words.t("composer.discard")}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
