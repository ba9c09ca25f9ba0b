"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { useWords } from "#words";
import { api, contract } from "@/components/api";
import { sendPost } from "@/components/outbox/send";
import { toast } from "@/components/ui/toast";
import type { Shared } from "@/lib/client/shared";
import { exactTime } from "@/lib/i18n/time";
import { DeviceDraft } from "./device-draft";
import { type Draft, emptyDraft, newPostDraft } from "./draft";
import { pollBody } from "./post-body";
import { PostForm } from "./post-form";
import { PostLater } from "./post-later";
import { Similar } from "./similar";
import { usePostForm } from "./use-post-form";
import { useServerDraft } from "./use-server-draft";

export interface ComposerProps {
  readonly topicId: string;
  /** Who will read it, and under which name. */
  readonly audience: string;
  /** Whether polls can have secret ballots. */
  readonly mayBeSecret?: boolean;
  /** What another app shared; the form puts it at the end of the draft. */
  readonly shared?: Shared | null;
}

/** Writes a post. The draft is kept on this device until the post is sent. */
export function Composer({ topicId, audience, mayBeSecret, shared }: ComposerProps) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const ended = useRef(() => {});
  const form = usePostForm({
    topicId,
    name: newPostDraft(topicId),
    untouched: emptyDraft,
    shared,
    send: async (draft) => {
      const sent = await sendPost({ topicId, ...bodyOf(draft) });
      ended.current();
      if ("kept" in sent) toast({ text: t("offline.kept") });
      else if (sent.answer.post.isHidden) toast({ text: t("composer.held") });
      router.push("answer" in sent ? `/posts/${sent.answer.post.id}` : `/topics/${topicId}`);
    },
  });
  const kept = useServerDraft({ topicId, draft: form.draft, show: form.show });
  ended.current = kept.end;
  const later = (at: Date) =>
    void form.submit(false, async (draft) => {
      const publishAt = at.toISOString();
      await api.call(contract.scheduled.create, { topicId, ...bodyOf(draft), publishAt });
      ended.current();
      toast({ text: t("composer.laterDone", { when: exactTime(words, at) }) });
      router.push("/scheduled");
    });
  const labels = {
    submit: t("composer.post"),
    kept: t("composer.draftKept"),
    discard: t("composer.discard"),
  };
  return (
    <PostForm
      form={form}
      labels={labels}
      audience={audience}
      focusTitle
      mayBeSecret={mayBeSecret}
      options={<DeviceDraft kept={kept} />}
      otherWays={<PostLater isDisabled={form.isUntouched || form.busy !== null} onTime={later} />}
    >
      <Similar topicId={topicId} title={form.draft.title} />
    </PostForm>
  );
}

/** Returns a draft as the body of a new post. */
function bodyOf({ title, content, tags, videos, poll }: Draft) {
  return {
    title,
    content,
    tags,
    ...(videos.length > 0 ? { media: { videos } } : {}),
    ...(poll ? { poll: pollBody(poll) } : {}),
  };
}
