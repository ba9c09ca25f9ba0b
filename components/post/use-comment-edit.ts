"use client";

import { useState } from "react";
import { useWords } from "#words";
import { toast } from "@/components/ui/toast";
import type { Comment } from "@/lib/contract";
import type { Talk } from "./talk";

/** A comment while its author changes it. */
export interface Draft {
  readonly text: string;
  /** Why it was not taken, or null. */
  readonly problem: string | null;
}

export interface CommentEditing {
  /** Null while nobody changes it. */
  readonly draft: Draft | null;
  readonly begin: () => void;
  readonly cancel: () => void;
  /** Shows the text at once; a refusal takes it back and gives the field back with what was typed. */
  readonly save: (text: string) => void;
}

/** Changing one's own comment where it stands. */
export function useCommentEdit(
  comment: Comment,
  { edit, focusSoon }: Pick<Talk, "edit" | "focusSoon">,
): CommentEditing {
  const words = useWords();
  const [draft, setDraft] = useState<Draft | null>(null);
  const leave = () => {
    setDraft(null);
    focusSoon(comment.id);
  };
  const send = async (text: string) => {
    const answer = await edit(comment, text);
    if (answer.ok) toast({ text: words.t("comment.saved") });
    else setDraft({ text, problem: answer.sentence });
  };
  return {
    draft,
    begin: () => setDraft({ text: comment.content, problem: null }),
    cancel: leave,
    save: (text) => {
      if (text !== comment.content) void send(text);
      leave();
    },
  };
}
