"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useWords } from "#words";
import { api, codeOf, contract } from "@/components/api";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { Post } from "@/lib/contract";
import { editDraft } from "./draft";
import { changesOf, draftOf } from "./post-body";
import { PostForm } from "./post-form";
import { usePostForm } from "./use-post-form";

export interface EditFormProps {
  readonly post: Post;
  /** Who reads it, and under which name. */
  readonly audience: string;
}

/** Edits a post. Unsaved changes are kept on this device, and leaving the page asks first. */
export function EditForm({ post, audience }: EditFormProps) {
  const { t } = useWords();
  const router = useRouter();
  const [before] = useState(() => draftOf(post));
  const [isRecorded, setRecorded] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const form = usePostForm({
    topicId: post.topicId,
    name: editDraft(post.id),
    untouched: before,
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
        votes={post.poll?.totalVotes}
        labels={{
          submit: t("common.saveChanges"),
          untouched: t("composer.nothingChanged"),
          kept: t("composer.changesKept"),
          discard: t("composer.discardChanges"),
        }}
        audience={audience}
        isDisabled={form.isUntouched || isRecorded}
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
 * Asks before the user leaves a page with unsaved changes: a link on this site sets `asked`, closing the tab shows the
 * browser's own question. The Back button cannot be stopped; the stored draft has the changes.
 * @returns the path to confirm, and a function that cancels it
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
      // A fragment of this page.
      if (link.pathname + link.search === location.pathname + location.search) return;
      event.preventDefault();
      event.stopPropagation();
      setAsked(link.pathname + link.search);
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("beforeunload", onUnload, { signal });
    // In the capture phase: React's links would navigate at once.
    document.addEventListener("click", onClick, { capture: true, signal });
    return () => listening.abort();
  }, [isUnsaved]);
  return { asked, stay: () => setAsked(null) };
}
