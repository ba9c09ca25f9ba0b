"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import {
  type Draft,
  isEmptyDraft,
  isSameDraft,
  loadKept,
  newPostDraft,
  saveKept,
} from "@/components/compose/draft";
import { draftOfWaiting } from "@/components/compose/post-body";
import { useOptimisticRows } from "@/components/staff/use-optimistic-rows";
import { Title } from "@/components/text/title";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { useMoment } from "@/components/ui/use-moment";
import { claimDrafts } from "@/lib/client/drafts";
import type { ScheduledPost } from "@/lib/contract/drafts";

/** A post that waits for its time, and the sentence that says why it was refused. */
export type ScheduledRow = ScheduledPost & { readonly why: string | null };

export interface ScheduledListProps {
  readonly userId: string;
  readonly posts: readonly ScheduledRow[];
}

const keyOf = ({ id }: ScheduledRow) => id;

/** Posts that wait for their time, each with buttons that take it back to the composer, or delete it. */
export function ScheduledList({ userId, posts }: ScheduledListProps) {
  const { t } = useWords();
  const router = useRouter();
  const { shown, change, list } = useOptimisticRows(posts, keyOf);
  const cancel = (row: ScheduledRow, done?: string) =>
    change({
      row,
      to: null,
      work: ({ api, contract }) => api.call(contract.scheduled.cancel, { scheduledId: row.id }),
      ...(done ? { done } : {}),
      outdated: ["scheduled_not_found"],
    });
  const [replaced, setReplaced] = useState<{ readonly row: ScheduledRow; readonly draft: Draft } | null>(
    null,
  );
  const takeBack = async (row: ScheduledRow) => {
    setReplaced(null);
    const name = newPostDraft(row.topicId);
    const before = loadKept(name);
    const draft = draftOfWaiting(row.post);
    // This device has the text before the server deletes it. The post deletes what it doesn't show of the old uploads.
    saveKept(name, { draft, uploads: before?.uploads ?? [], isDiscarded: false });
    // A full storage still has what was there before.
    const stored = loadKept(name);
    if (!stored || !isSameDraft(stored.draft, draft))
      return toast({ text: t("scheduled.noRoom"), tone: "wrong" });
    const taken = await cancel(row);
    if (taken.ok) router.push(`/topics/${row.topicId}/new`);
    // Without an answer it may be deleted, and this is the only copy.
    else if (taken.code === "scheduled_not_found") saveKept(name, before);
  };
  const edit = (row: ScheduledRow) => {
    claimDrafts(userId);
    const kept = loadKept(newPostDraft(row.topicId));
    const isOther = kept && !kept.isDiscarded && !isSameDraft(kept.draft, draftOfWaiting(row.post));
    if (isOther && !isEmptyDraft(kept.draft)) setReplaced({ row, draft: kept.draft });
    else void takeBack(row);
  };
  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={t("scheduled.title")}
        className={cx("divide-y outline-none", shown.length > 0 && "border-y")}
      >
        {shown.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
            <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
              <p className="font-medium" dir="auto">
                <Title of={row.post.title} />
              </p>
              <Time at={row.publishAt} topic={row.topicTitle} />
              {row.why ? (
                <p className="text-sm text-seal">{t("scheduled.refused", { why: row.why })}</p>
              ) : null}
            </div>
            <div className="flex items-center gap-2">
              <Button
                size="sm"
                aria-label={t("scheduled.editOf", { title: row.post.title })}
                onClick={() => edit(row)}
              >
                {t("scheduled.edit")}
              </Button>
              <Button
                size="sm"
                tone="quiet"
                aria-label={t("scheduled.deleteOf", { title: row.post.title })}
                onClick={() => void cancel(row, t("scheduled.deleted"))}
              >
                {t("scheduled.delete")}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Dialog
        open={replaced !== null}
        onClose={() => setReplaced(null)}
        title={t("scheduled.replaceTitle")}
        footer={
          <>
            <Button tone="quiet" onClick={() => setReplaced(null)}>
              {t("common.cancel")}
            </Button>
            <Button tone="danger" onClick={() => replaced && void takeBack(replaced.row)}>
              {t("scheduled.replace")}
            </Button>
          </>
        }
      >
        <p className="text-soft">
          {t("scheduled.replaceText", {
            topic: replaced?.row.topicTitle ?? "",
            title: replaced?.draft.title.trim() || t("scheduled.untitled"),
          })}
        </p>
      </Dialog>
    </>
  );
}

function Time({ at, topic }: { readonly at: string; readonly topic: string }) {
  const { t } = useWords();
  return <p className="text-sm text-soft">{t("scheduled.when", { when: useMoment(at), topic })}</p>;
}
