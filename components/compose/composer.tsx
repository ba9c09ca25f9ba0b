"use client";

import { useRouter } from "next/navigation";
import { useWords } from "#words";
import { sendPost } from "@/components/outbox/send";
import { toast } from "@/components/ui/toast";
import type { Shared } from "@/lib/client/shared";
import { emptyDraft, newPostDraft } from "./draft";
import { pollBody } from "./post-body";
import { PostForm } from "./post-form";
import { Similar } from "./similar";
import { usePostForm } from "./use-post-form";

export interface ComposerProps {
  readonly topicId: string;
  /** Who will read it, and under which name. */
  readonly audience: string;
  /** What another app shared; the form puts it at the end of the draft. */
  readonly shared?: Shared | null;
}

/** Writes a post. The draft is kept on this device until the post is sent. */
export function Composer({ topicId, audience, shared }: ComposerProps) {
  const { t } = useWords();
  const router = useRouter();
  const form = usePostForm({
    topicId,
    name: newPostDraft(topicId),
    untouched: emptyDraft,
    shared,
    send: async ({ title, content, tags, videos, poll }) => {
      const sent = await sendPost({
        topicId,
        title,
        content,
        tags,
        ...(videos.length > 0 ? { media: { videos } } : {}),
        ...(poll ? { poll: pollBody(poll) } : {}),
      });
      if ("kept" in sent) toast({ text: t("offline.kept") });
      else if (sent.answer.post.isHidden) toast({ text: t("composer.held") });
      router.push("answer" in sent ? `/posts/${sent.answer.post.id}` : `/topics/${topicId}`);
    },
  });
  const labels = {
    submit: t("composer.post"),
    kept: t("composer.draftKept"),
    discard: t("composer.discard"),
  };
  return (
    <PostForm form={form} labels={labels} audience={audience} focusTitle>
      <Similar topicId={topicId} title={form.draft.title} />
    </PostForm>
  );
}
