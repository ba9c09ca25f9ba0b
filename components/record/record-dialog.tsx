"use client";

import { useCallback, useEffect, useState } from "react";
import { api, codeOf, contract, sentence } from "@/components/api";
import { Button, Spinner } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNote, Note } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";
import { roughAmount } from "./amount";
import { RecordStages, type Stages } from "./stages";
import type { RecordStatus } from "./types";

export interface RecordDialogProps {
  readonly postId: string;
  readonly chainName: string | null;
  /** How many records the post has. */
  readonly known: number;
  readonly onClose: () => void;
  /** The post has a new record, which is confirmed. */
  readonly onRecorded: () => void;
}

/** Milliseconds between two looks at a record that the chain has not confirmed. */
const LOOK_MS = 3000;

/** What a record is and costs, before it is made; then its way to the chain. */
export function RecordDialog({ postId, chainName, known, onClose, onRecorded }: RecordDialogProps) {
  const [status, setStatus] = useState<RecordStatus | null>(null);
  const [stages, setStages] = useState<Stages | null>(null);
  const [madeId, setMadeId] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    api
      .call(contract.records.status, { postId })
      .then(setStatus, (error: unknown) => setProblem(sentence(error)));
  }, [postId]);

  const confirmed = useCallback(() => {
    setStages((known) => known && { ...known, confirmedAt: Date.now() });
    onRecorded();
  }, [onRecorded]);
  const isWaiting = stages !== null && stages.sentAt !== null && stages.confirmedAt === null;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      api.call(contract.records.list, { postId }).then(
        ({ userRecorded, records }) => {
          // Where the answer got lost the record has no name; then there is one more than before.
          const isThere = madeId ? records.some(({ id }) => id === madeId) : records.length > known;
          if (isThere) confirmed();
          else if (!userRecorded) {
            setStages(null);
            setProblem(en.record.failed(en.record.dropped));
          }
        },
        () => undefined,
      );
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isWaiting, postId, madeId, known, confirmed]);

  const record = async () => {
    setProblem(null);
    const begunAt = Date.now();
    setStages({ begunAt, sentAt: null, confirmedAt: null });
    try {
      const { record: made } = await api.call(contract.records.record, { postId });
      const now = Date.now();
      setMadeId(made.id);
      setStages({ begunAt, sentAt: now, confirmedAt: made.status === "confirmed" ? now : null });
      if (made.status === "confirmed") onRecorded();
    } catch (error) {
      // The answer got lost, or somebody pressed twice: the record is on its way.
      if (codeOf(error) === "record_already")
        return setStages({ begunAt, sentAt: Date.now(), confirmedAt: null });
      setStages(null);
      setProblem(codeOf(error) === "network" ? sentence(error) : en.record.failed(sentence(error)));
    }
  };
  const isDone = stages !== null && stages.confirmedAt !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={en.record.dialogTitle}
      footer={
        stages ? (
          <Button onClick={onClose}>{en.common.close}</Button>
        ) : (
          <>
            <Button tone="quiet" onClick={onClose}>
              {en.common.cancel}
            </Button>
            <Button tone="primary" disabled={!status?.allowed} onClick={() => void record()}>
              {en.record.confirm}
            </Button>
          </>
        )
      }
    >
      {stages ? (
        <>
          <RecordStages stages={stages} />
          <div role="status">
            {isDone ? <Note tone="good">{en.record.done}</Note> : null}
            {isWaiting ? <Note>{en.record.pending}</Note> : null}
          </div>
        </>
      ) : (
        <Explained status={status} chainName={chainName} />
      )}
      {problem ? <ErrorNote title={en.record.failedTitle}>{problem}</ErrorNote> : null}
      {!status && !problem ? (
        <p role="status" className="flex items-center gap-2 text-sm text-soft">
          <Spinner />
          {en.record.asking}
        </p>
      ) : null}
      {status && !status.allowed && !stages ? (
        <Note tone="warning" title={en.record.notAllowed}>
          {status.reason}
        </Note>
      ) : null}
    </Dialog>
  );
}

interface ExplainedProps {
  readonly status: RecordStatus | null;
  readonly chainName: string | null;
}

function Explained({ status, chainName }: ExplainedProps) {
  const { written, writtenText, notWritten, notWrittenText, after, afterText, cost } = en.record;
  const price = status?.cost
    ? en.record.costText(
        roughAmount(status.cost.wei),
        status.cost.symbol,
        chainName ?? en.record.chain(status.cost.chainId),
      )
    : en.record.costUnknown;
  return (
    <dl className="grid gap-3">
      {[
        [written, writtenText],
        [notWritten, notWrittenText],
        [after, afterText],
        [cost, status ? `${price} ${status.allowed ? en.record.left(status.leftToday) : ""}` : ""],
      ].map(([name, text]) => (
        <div key={name} className="grid gap-0.5">
          <dt className="font-medium">{name}</dt>
          <dd className="min-h-5 text-soft">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
