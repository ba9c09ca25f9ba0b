"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { sendPost } from "@/components/outbox/send";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { Shared } from "@/lib/client/shared";
import { emptyDraft, newPostDraft, withShared } from "./draft";
import { pollBody } from "./poll";
import { PostForm } from "./post-form";
import { restore } from "./restore";
import { usePostForm } from "./use-post-form";

export interface ComposerProps {
  readonly topicId: string;
  /** What another app shared; stands behind the draft, where there is one. */
  readonly shared?: Shared | null;
}

/** Writes a post. The draft is kept on this device until it is posted. */
export function Composer({ topicId, shared }: ComposerProps) {
  const { t } = useWords();
  const router = useRouter();
  const [found] = useState(() => restore(newPostDraft(topicId)));
  const form = usePostForm({
    topicId,
    name: newPostDraft(topicId),
    initial: withShared(found.draft, shared ?? null) ?? emptyDraft,
    untouched: emptyDraft,
    uploaded: found.uploads,
    isRestored: found.draft !== null,
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
      router.push("answer" in sent ? `/posts/${sent.answer.post.id}` : `/topics/${topicId}`);
    },
  });
  return (
    <PostForm
      form={form}
      votes={0}
      footer={
        <>
          <Button type="submit" tone="primary" busy={form.busy !== null}>
            {t("composer.post")}
          </Button>
          {form.busy === "waiting" ? (
            <p role="status" className="text-sm text-soft">
              {t("composer.waitingForPictures")}
            </p>
          ) : form.isUntouched ? null : (
            <>
              <p className="text-sm text-soft">{t("composer.draftKept")}</p>
              <Button tone="quiet" size="sm" className="ms-auto" onClick={form.discard}>
                {t("composer.discard")}
              </Button>
            </>
          )}
        </>
      }
    />
  );
}
