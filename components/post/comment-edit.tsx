"use client";

import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { MentionTextarea } from "@/components/compose/mention-textarea";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { LIMITS } from "@/lib/contract/limits";
import type { Draft } from "./use-comment-edit";

export interface CommentEditProps {
  readonly draft: Draft;
  /** Whose members an @ offers. */
  readonly topicId: string;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}

/** The field in which somebody changes their comment. */
export function CommentEdit({ draft, topicId, onSave, onCancel }: CommentEditProps) {
  const { t } = useWords();
  const [text, setText] = useState(draft.text);
  const field = useRef<HTMLTextAreaElement>(null);
  const trimmed = text.trim();
  const isTooLong = trimmed.length > LIMITS.comment;
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
    // With its buttons.
    area?.form?.scrollIntoView({ block: "nearest" });
  }, []);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (trimmed && !isTooLong) onSave(trimmed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit();
    if (event.key === "Escape") onCancel();
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      <Field
        label={t("comment.editLabel")}
        error={isTooLong ? t("post.tooLong", { max: LIMITS.comment }) : draft.problem}
      >
        {(control) => (
          <MentionTextarea
            {...control}
            field={field}
            topicId={topicId}
            side="below"
            dir="auto"
            rows={3}
            value={text}
            onValue={setText}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" disabled={!trimmed || isTooLong}>
          {t("common.save")}
        </Button>
        <Button size="sm" tone="quiet" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
