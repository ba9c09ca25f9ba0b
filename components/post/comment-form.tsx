"use client";

import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { MentionTextarea } from "@/components/compose/mention-textarea";
import { reader } from "@/components/offline/state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { claimDrafts, readDraft, writeDraft } from "@/lib/client/drafts";
import type { Comment } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";

/** From here on it is said how much is left. */
const NEAR = 9_000;

export interface CommentFormProps {
  readonly postId: string;
  /** Whose members an @ offers; without it nobody is offered. */
  readonly topicId: string;
  readonly parentId: string | null;
  readonly label: string;
  readonly send: string;
  readonly focus?: boolean;
  /** Called when it is on its way. @returns called once there is an answer, whatever it is */
  readonly onSending?: (content: string) => () => void;
  readonly onSent: (comment: Comment) => void;
  readonly onCancel?: () => void;
}

/** Writes a comment or a reply; what was typed stays when sending fails, and on this device until it is sent. */
export function CommentForm(props: CommentFormProps) {
  const words = useWords();
  const { t } = words;
  const [content, setContent] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const draft = `comment.${props.postId}.${props.parentId ?? ""}`;
  // Not in the first rendering: the server does not know the draft.
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

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    const text = content.trim();
    if (!text || busy) return;
    if (text.length > LIMITS.comment) return setError(t("post.tooLong", { max: LIMITS.comment }));
    setBusy(true);
    setError(null);
    const answered = props.onSending?.(text);
    // It stands among the others already; the draft stays until it is sent.
    if (answered) setContent("");
    try {
      const { sendComment } = await import("@/components/outbox/send");
      const sent = await sendComment({ postId: props.postId, content: text, parentId: props.parentId });
      answered?.();
      change("");
      if ("answer" in sent) props.onSent(sent.answer.comment);
      else {
        toast({ text: t("offline.kept") });
        props.onCancel?.();
      }
    } catch (cause) {
      answered?.();
      setContent(content);
      // Without a network its script may be missing, too.
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
        onValue={change}
        onKeyDown={onKeyDown}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error ${id}-left`}
      />
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
        <p id={`${id}-left`} role="status" className="ms-auto text-sm text-soft tabular-nums empty:hidden">
          {left > LIMITS.comment - NEAR
            ? null
            : left < 0
              ? t("mention.tooMany", { n: -left })
              : t("mention.left", { n: left })}
        </p>
      </div>
    </form>
  );
}
