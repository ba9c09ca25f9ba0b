"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { api, codeOf, contract } from "@/components/api";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { Post } from "@/lib/contract";
import { changesOf, draftOf } from "./changes";
import { editDraft } from "./draft";
import { PostForm } from "./post-form";
import { restore } from "./restore";
import { useLeaveGuard } from "./use-leave-guard";
import { usePostForm } from "./use-post-form";

export interface EditFormProps {
  readonly post: Post;
}

/** Changes a post. What is not saved is kept on this device, and leaving asks. */
export function EditForm({ post }: EditFormProps) {
  const { t } = useWords();
  const router = useRouter();
  const [before] = useState(() => draftOf(post));
  const [found] = useState(() => restore(editDraft(post.id)));
  const [isRecorded, setRecorded] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const form = usePostForm({
    topicId: post.topicId,
    name: editDraft(post.id),
    initial: found.draft ?? before,
    untouched: before,
    uploaded: found.uploads,
    isRestored: found.draft !== null,
    send: async (draft) => {
      const changes = changesOf(before, draft);
      try {
        if (Object.keys(changes).length > 0) {
          await api.call(contract.posts.update, { postId: post.id, ...changes });
        }
      } catch (cause) {
        setRecorded(codeOf(cause) === "post_recorded");
        throw cause;
      }
      setSaved(true);
      toast({ text: t("composer.saved") });
      router.push(`/posts/${post.id}`);
      router.refresh();
    },
  });
  const { asked, stay } = useLeaveGuard(!form.isUntouched && !isSaved);
  const leave = () => {
    setSaved(true);
    form.abandon();
    router.push(asked ?? `/posts/${post.id}`);
  };
  return (
    <>
      <PostForm
        form={form}
        votes={post.poll?.totalVotes ?? 0}
        footer={
          <>
            <Button
              type="submit"
              tone="primary"
              busy={form.busy !== null}
              disabled={form.isUntouched || isRecorded}
            >
              {t("composer.save")}
            </Button>
            {form.busy === "waiting" ? (
              <p role="status" className="text-sm text-soft">
                {t("composer.waitingForPictures")}
              </p>
            ) : form.isUntouched ? (
              <p className="text-sm text-soft">{t("composer.nothingChanged")}</p>
            ) : (
              <>
                <p className="text-sm text-soft">{t("composer.changesKept")}</p>
                <Button tone="quiet" size="sm" className="ms-auto" onClick={form.discard}>
                  {t("composer.discardChanges")}
                </Button>
              </>
            )}
          </>
        }
      />
      <Dialog
        open={asked !== null}
        onClose={stay}
        title={t("composer.leaveTitle")}
        footer={
          <>
            <Button onClick={leave}>{t("composer.leave")}</Button>
            <Button tone="primary" onClick={stay}>
              {t("composer.stay")}
            </Button>
          </>
        }
      >
        <p>{t("composer.leaveText")}</p>
      </Dialog>
    </>
  );
}
