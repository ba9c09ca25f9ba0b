"use client";

import {
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { useWords } from "#words";
import { CharactersLeft } from "@/components/compose/characters-left";
import { MentionTextarea } from "@/components/compose/mention-textarea";
import { reader } from "@/components/offline/state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { claimDrafts, readDraft, writeDraft } from "@/lib/client/drafts";
import type { Comment } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { withQuote } from "./quote";

/** Length from which the form shows how many characters are left. */
const NEAR_LIMIT = 9_000;

export interface CommentFormProps {
  readonly postId: string;
  /** The topic whose members an @ suggests. */
  readonly topicId: string;
  readonly parentId: string | null;
  /** Who will read it, and under which name. */
  readonly audience: string;
  readonly label: string;
  readonly send: string;
  readonly focus?: boolean;
  /** What to quote, behind what was written; another object quotes again. */
  readonly quote?: { readonly text: string } | null;
  /** Called when sending starts. @returns called when it ends, also with an error */
  readonly onSending?: (content: string) => () => void;
  readonly onSent: (comment: Comment) => void;
  readonly onCancel?: () => void;
}

/** Writes a comment or a reply. The draft stays on this device until it is sent. */
export function CommentForm(props: CommentFormProps) {
  const words = useWords();
  const { t } = words;
  const [content, setContent] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const draft = `comment.${props.postId}.${props.parentId ?? ""}`;
  // In an effect, because the server does not know the draft.
  useEffect(() => {
    const userId = reader();
    if (userId) claimDrafts(userId);
    setContent((typed) => typed || (readDraft(draft) ?? ""));
  }, [draft]);
  const change = (text: string) => {
    setContent(text);
    writeDraft(draft, text.trim() ? text : null);
  };
  const left = LIMITS.comment - content.trim().length;
  useEffect(() => {
    if (props.focus) field.current?.focus();
  }, [props.focus]);
  const addQuote = useEffectEvent((text: string) => {
    change(withQuote(content || (readDraft(draft) ?? ""), text));
    field.current?.focus();
  });
  const quoted = useRef<CommentFormProps["quote"]>(null);
  useEffect(() => {
    // In development React runs effects twice.
    if (!props.quote || quoted.current === props.quote) return;
    quoted.current = props.quote;
    addQuote(props.quote.text);
  }, [props.quote]);

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    const text = content.trim();
    if (!text || busy) return;
    if (text.length > LIMITS.comment) return setError(t("post.tooLong", { max: LIMITS.comment }));
    setBusy(true);
    setError(null);
    const stopShowing = props.onSending?.(text);
    // The list shows it already; the stored draft stays until it is sent.
    if (stopShowing) setContent("");
    try {
      const { sendComment } = await import("@/components/outbox/send");
      const sent = await sendComment({ postId: props.postId, content: text, parentId: props.parentId });
      stopShowing?.();
      change("");
      if ("answer" in sent) props.onSent(sent.answer.comment);
      else {
        toast({ text: t("offline.kept") });
        props.onCancel?.();
      }
    } catch (cause) {
      stopShowing?.();
      setContent(content);
      // Without a network this script may not load either.
      const api = await import("@/components/api").catch(() => null);
      setError(api ? api.sentence(words, cause) : t("offline.nothingChanged"));
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void submit();
    if (event.key === "Escape") props.onCancel?.();
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        {props.label}
      </label>
      <MentionTextarea
        id={id}
        field={field}
        topicId={props.topicId}
        side="below"
        value={content}
        dir="auto"
        rows={3}
        placeholder={t("post.commentPlaceholder")}
        aria-keyshortcuts="r"
        onValue={change}
        onKeyDown={onKeyDown}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-audience ${id}-error ${id}-left`}
      />
      <p id={`${id}-audience`} className="text-sm text-soft empty:hidden">
        {props.audience}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" tone="plain" size="sm" busy={busy} disabled={!content.trim()}>
          {props.send}
        </Button>
        {props.onCancel ? (
          <Button size="sm" tone="quiet" onClick={props.onCancel}>
            {t("common.cancel")}
          </Button>
        ) : null}
        <p id={`${id}-error`} role="alert" className="text-sm text-seal">
          {error}
        </p>
        <CharactersLeft
          id={`${id}-left`}
          left={left}
          isNear={left <= LIMITS.comment - NEAR_LIMIT}
          role="status"
          className="ms-auto text-sm text-soft empty:hidden"
        />
      </div>
    </form>
  );
}
