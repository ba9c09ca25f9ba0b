"use client";

import { BadgeCheck, Link2, TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import { Avatar } from "@/components/ui/identicon";
import { nameOf } from "@/components/ui/member-name";
import { Note } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import { exactCount } from "@/lib/i18n/time";
import {
  type Board,
  boardOf,
  type HexText,
  isHexText,
  minutesUntilRecordable,
  type RecordList,
} from "./record";

const loadRecordDialog = () => import("./record-dialog").then((m) => m.RecordDialog);
const loadCheckDialog = () => import("./check").then((m) => m.CheckDialog);

export interface RecordsProps {
  readonly postId: string;
  readonly createdAt: string;
  /** Minutes until the post is old enough to be recorded; 0 when it is. */
  readonly minutesLeft: number;
  readonly list: RecordList;
  /** Whether the reader is a member who may write here and not the author. */
  readonly mayRecord: boolean;
  readonly isOwn: boolean;
}

/** A post's records on the chain: who made them, whether they match, how to check them, and how to add one. */
export function Records({ postId, createdAt, minutesLeft, list, mayRecord, isOwn }: RecordsProps) {
  const words = useWords();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [checked, setChecked] = useState<HexText | null>(null);
  const recording = useLazyComponent(loadRecordDialog);
  const checking = useLazyComponent(loadCheckDialog);
  const { records, recordCount, userRecorded } = list;
  const board = boardOf(list);
  const recorded = useCallback(() => router.refresh(), [router]);
  if (recordCount === 0 && !(board && mayRecord)) return null;
  return (
    <section aria-labelledby="records" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="records" className="flex items-baseline gap-2 font-serif text-xl font-semibold">
          {words.t("record.title")}
          <span className="font-sans text-sm font-normal text-soft">{exactCount(words, recordCount)}</span>
        </h2>
        {board && mayRecord && !userRecorded ? (
          <RecordButton
            createdAt={createdAt}
            minutesLeft={minutesLeft}
            busy={recording.busy}
            onPress={() => recording.load(() => setOpen(true))}
          />
        ) : null}
      </div>
      <p className="text-sm text-soft">
        {words.t("record.lead")}{" "}
        {isOwn ? words.t("record.own") : userRecorded ? words.t("record.already") : null}
      </p>
      {list.postEdited ? <Note tone="warning">{words.t("record.edited")}</Note> : null}
      {records.length > 0 ? (
        <ol className="divide-y rounded-sheet border bg-sheet">
          {records.map((one) => (
            <OneRecord
              key={one.id}
              record={one}
              board={board}
              onCheck={(txHash) => checking.load(() => setChecked(txHash))}
            />
          ))}
        </ol>
      ) : null}
      {open && recording.Component ? (
        <recording.Component
          postId={postId}
          chainName={board?.chainName ?? null}
          known={records.length}
          onClose={() => setOpen(false)}
          onRecorded={recorded}
        />
      ) : null}
      {checked && board && checking.Component ? (
        <checking.Component postId={postId} txHash={checked} board={board} onClose={() => setChecked(null)} />
      ) : null}
    </section>
  );
}

/** Returns the minutes until a post is old enough: first as the server counted, then by this device's clock. */
function useMinutesLeft(createdAt: string, initial: number): number {
  const [left, setLeft] = useState(initial);
  useEffect(() => {
    const count = () => setLeft(minutesUntilRecordable(createdAt, Date.now()));
    count();
    const timer = setInterval(count, 30_000);
    return () => clearInterval(timer);
  }, [createdAt]);
  return left;
}

interface RecordButtonProps {
  readonly createdAt: string;
  readonly minutesLeft: number;
  readonly busy: boolean;
  readonly onPress: () => void;
}

function RecordButton({ createdAt, minutesLeft, busy, onPress }: RecordButtonProps) {
  const { t } = useWords();
  const left = useMinutesLeft(createdAt, minutesLeft);
  if (left > 0) return <p className="text-sm text-soft">{t("record.tooNew", { minutes: left })}</p>;
  return (
    <Button size="sm" busy={busy} onClick={onPress}>
      <Link2 className="size-4" aria-hidden />
      {t("record.record")}
    </Button>
  );
}

interface OneRecordProps {
  readonly record: RecordList["records"][number];
  readonly board: Board | null;
  readonly onCheck: (txHash: HexText) => void;
}

function OneRecord({ record, board, onCheck }: OneRecordProps) {
  const words = useWords();
  const { txHash } = record;
  const explorer = board?.explorerUrl && txHash ? `${board.explorerUrl}/tx/${txHash}` : null;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Avatar userId={record.recorderId} image={record.recorderProfileImage} size="xs" />
          <span className="font-medium">
            {record.recorderNickname === null
              ? words.t("common.withdrawn")
              : nameOf(words, record.recorderNickname)}
          </span>
          <span className="text-soft">
            <TimeAgo at={record.createdAt} />
          </span>
        </p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          {record.contentHashMatch ? (
            <span className="inline-flex items-center gap-1 text-moss">
              <BadgeCheck className="size-4" aria-hidden />
              {words.t("record.match")}
            </span>
          ) : (
            <span
              className="inline-flex items-center gap-1 text-amber"
              title={words.t("record.mismatchHint")}
            >
              <TriangleAlert className="size-4" aria-hidden />
              {words.t("record.mismatch")}
            </span>
          )}
          {txHash ? <Hash value={txHash} label={words.t("record.transaction")} href={explorer} /> : null}
          {record.blockNumber === null ? null : (
            <span>{words.t("record.block", { n: record.blockNumber })}</span>
          )}
        </p>
      </div>
      {board && isHexText(txHash) ? (
        <Button size="sm" tone="quiet" onClick={() => onCheck(txHash)} className="-ms-3 sm:ms-0">
          {words.t("record.check")}
        </Button>
      ) : null}
    </li>
  );
}
