"use client";

import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { Comment } from "@/lib/contract";

const MAX = 10_000;

export interface CommentFormProps {
  readonly postId: string;
  readonly parentId: string | null;
  readonly label: string;
  readonly send: string;
  readonly focus?: boolean;
  readonly onSent: (comment: Comment) => void;
  readonly onCancel?: () => void;
}

/** Writes a comment or a reply; what was typed stays when sending fails. */
export function CommentForm(props: CommentFormProps) {
  const words = useWords();
  const { t } = words;
  const [content, setContent] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    if (props.focus) field.current?.focus();
  }, [props.focus]);

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    const text = content.trim();
    if (!text || busy) return;
    if (text.length > MAX) return setError(t("post.tooLong"));
    setBusy(true);
    setError(null);
    try {
      const { sendComment } = await import("@/components/outbox/send");
      const sent = await sendComment({ postId: props.postId, content: text, parentId: props.parentId });
      setContent("");
      if ("answer" in sent) props.onSent(sent.answer.comment);
      else {
        toast({ text: t("offline.kept") });
        props.onCancel?.();
      }
    } catch (cause) {
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
      <Textarea
        id={id}
        ref={field}
        value={content}
        dir="auto"
        rows={3}
        placeholder={t("post.commentPlaceholder")}
        onChange={(event) => setContent(event.target.value)}
        onKeyDown={onKeyDown}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error`}
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
      </div>
    </form>
  );
}
