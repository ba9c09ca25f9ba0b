"use client";

import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import type { MenuItem } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { tellRead } from "./mark";

/** From where on something is unread: a topic's posts or chat, or a post's comments. */
export type UnreadFrom =
  | { readonly topicId: string; readonly postId: string }
  | { readonly topicId: string; readonly messageId: string }
  | { readonly threadOf: string; readonly commentId: string };

/** A menu entry that marks something and what came after it as unread; none for those who keep no marks there. */
export function useUnreadItem(from: UnreadFrom | null): readonly MenuItem[] {
  const words = useWords();
  const mark = async (what: UnreadFrom) => {
    const answer = await callApi<unknown>(words, ({ api, contract }) =>
      "threadOf" in what
        ? api.call(contract.reading.unreadThread, { postId: what.threadOf, commentId: what.commentId })
        : api.call(contract.reading.unreadTopic, what),
    );
    toast(answer.ok ? { text: words.t("unread.marked") } : { text: answer.sentence, tone: "wrong" });
    if (answer.ok) tellRead();
  };
  return from ? [{ label: words.t("unread.fromHere"), onSelect: () => void mark(from) }] : [];
}
