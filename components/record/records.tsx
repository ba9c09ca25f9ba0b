"use client";

import { BadgeCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import { Avatar } from "@/components/ui/identicon";
import { nameOf } from "@/components/ui/member-name";
import { Note } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import { type Board, boardOf, type HexText, isHexText, type RecordList } from "./record";

const loadCheckDialog = () => import("./check").then((m) => m.CheckDialog);

export interface RecordsProps {
  readonly postId: string;
  readonly list: RecordList;
  readonly isOwn: boolean;
}

/** A post's records on the chain, folded into one line: who made them, whether they match, how to check them. */
export function Records({ postId, list, isOwn }: RecordsProps) {
  const words = useWords();
  const [checked, setChecked] = useState<HexText | null>(null);
  const checking = useLazyComponent(loadCheckDialog);
  const { records, recordCount, userRecorded } = list;
  const board = boardOf(list);
  if (recordCount === 0) return null;
  return (
    <section aria-labelledby="records">
      <details open={list.postEdited || undefined} className="rounded-sheet border bg-sheet">
        <summary className="tap px-4 py-2 text-sm">
          <h2 id="records" className="inline font-medium">
            {words.t("record.count", { n: recordCount })}
          </h2>
        </summary>
        <div className="grid gap-3 border-t px-4 py-3">
          <p className="text-sm text-soft">
            {words.t("record.lead")}{" "}
            {isOwn ? words.t("record.own") : userRecorded ? words.t("record.already") : null}
          </p>
          {list.postEdited ? <Note tone="warning">{words.t("record.edited")}</Note> : null}
          <ol className="divide-y">
            {records.map((one) => (
              <OneRecord
                key={one.id}
                record={one}
                board={board}
                onCheck={(txHash) => checking.load(() => setChecked(txHash))}
              />
            ))}
          </ol>
        </div>
      </details>
      {checked && board && checking.Component ? (
        <checking.Component postId={postId} txHash={checked} board={board} onClose={() => setChecked(null)} />
      ) : null}
    </section>
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
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 last:pb-0">
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
