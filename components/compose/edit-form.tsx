"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
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

/**
 * Asks before a page with unsaved changes is left: by a link of ours with `asked`, by closing the tab with the browser's own
 * question. The browser's way back cannot be held up; the changes are kept as a draft for that.
 * @returns the address that waits for an answer, and what takes it back
 */
function useLeaveGuard(isUnsaved: boolean): {
  readonly asked: string | null;
  readonly stay: () => void;
} {
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => {
    if (!isUnsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const isElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
      if (!(link instanceof HTMLAnchorElement) || isElsewhere || link.target === "_blank") return;
      if (link.isContentEditable || link.origin !== location.origin) return;
      // A place on this page.
      if (link.pathname + link.search === location.pathname + location.search) return;
      event.preventDefault();
      event.stopPropagation();
      setAsked(link.pathname + link.search);
    };
    window.addEventListener("beforeunload", onUnload);
    // Before React sees it, whose links would go at once.
    document.addEventListener("click", onClick, true);
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, true);
    };
  }, [isUnsaved]);
  return { asked, stay: () => setAsked(null) };
}
