"use client";

import { Check } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useWords } from "#words";
import { api, codeOf, contract, sentence } from "@/components/api";
import { Button, Spinner } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNote, Note } from "@/components/ui/notes";
import { duration } from "@/lib/i18n/time";
import { type RecordStatus, roughAmount } from "./record";

export interface RecordDialogProps {
  readonly postId: string;
  readonly chainName: string | null;
  readonly known: number;
  readonly onClose: () => void;
  /** Called when a new record is confirmed. */
  readonly onRecorded: () => void;
}

/** How often an unconfirmed record is polled. */
const POLL_MS = 3000;

/** Explains what a record is and costs, then makes it and shows its way to the chain. */
export function RecordDialog({ postId, chainName, known, onClose, onRecorded }: RecordDialogProps) {
  const words = useWords();
  const [status, setStatus] = useState<RecordStatus | null>(null);
  const [stages, setStages] = useState<Stages | null>(null);
  const [madeId, setMadeId] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    api
      .call(contract.records.status, { postId })
      .then(setStatus, (error: unknown) => setProblem(sentence(words, error)));
  }, [postId, words]);

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
          // Without a response the record's id is unknown: then any additional record is it.
          const isThere = madeId ? records.some(({ id }) => id === madeId) : records.length > known;
          if (isThere) confirmed();
          else if (!userRecorded) {
            setStages(null);
            setProblem(words.t("record.failed", { why: words.t("record.dropped") }));
          }
        },
        () => undefined,
      );
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isWaiting, postId, madeId, known, confirmed, words.t]);

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
      // The response got lost, or the button was pressed twice: the record is already being sent.
      if (codeOf(error) === "record_already")
        return setStages({ begunAt, sentAt: Date.now(), confirmedAt: null });
      setStages(null);
      setProblem(
        codeOf(error) === "network"
          ? sentence(words, error)
          : words.t("record.failed", { why: sentence(words, error) }),
      );
    }
  };
  const isDone = stages !== null && stages.confirmedAt !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.t("record.dialogTitle")}
      footer={
        stages ? (
          <Button onClick={onClose}>{words.t("common.close")}</Button>
        ) : (
          <>
            <Button tone="quiet" onClick={onClose}>
              {words.t("common.cancel")}
            </Button>
            <Button tone="primary" disabled={!status?.allowed} onClick={() => void record()}>
              {words.t("record.confirm")}
            </Button>
          </>
        )
      }
    >
      {stages ? (
        <>
          <RecordStages stages={stages} />
          <div role="status">
            {isDone ? <Note tone="good">{words.t("record.done")}</Note> : null}
            {isWaiting ? <Note>{words.t("record.pending")}</Note> : null}
          </div>
        </>
      ) : (
        <Explained status={status} chainName={chainName} />
      )}
      {problem ? <ErrorNote title={words.t("record.failedTitle")}>{problem}</ErrorNote> : null}
      {!status && !problem ? (
        <p role="status" className="flex items-center gap-2 text-sm text-soft">
          <Spinner />
          {words.t("record.asking")}
        </p>
      ) : null}
      {status && !status.allowed && !stages ? (
        <Note tone="warning" title={words.t("record.notAllowed")}>
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
  const { t } = useWords();
  const price = status?.cost
    ? t("record.costText", {
        amount: roughAmount(status.cost.wei),
        symbol: status.cost.symbol,
        chain: chainName ?? t("record.chain", { id: status.cost.chainId }),
      })
    : t("record.costUnknown");
  return (
    <dl className="grid gap-3">
      {[
        [t("record.written"), t("record.writtenText")],
        [t("record.notWritten"), t("record.notWrittenText")],
        [t("record.after"), t("record.afterText")],
        [
          t("common.cost"),
          status ? `${price} ${status.allowed ? t("record.left", { n: status.leftToday }) : ""}` : "",
        ],
      ].map(([name, text]) => (
        <div key={name} className="grid gap-0.5">
          <dt className="font-medium">{name}</dt>
          <dd className="min-h-5 text-soft">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Unix times in milliseconds; null for a stage in the future. */
interface Stages {
  readonly begunAt: number;
  readonly sentAt: number | null;
  readonly confirmedAt: number | null;
}

/** Shows how far a record is, with the elapsed time. */
function RecordStages({ stages: { begunAt, sentAt, confirmedAt } }: { readonly stages: Stages }) {
  const words = useWords();
  const [now, setNow] = useState(begunAt);
  const isOver = confirmedAt !== null;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, [isOver]);
  const rows = [
    { name: words.t("record.stages.sent"), at: sentAt, isActive: sentAt === null },
    { name: words.t("record.stages.confirmed"), at: confirmedAt, isActive: sentAt !== null && !isOver },
  ];
  return (
    <ol aria-label={words.t("record.stagesLabel")} className="grid gap-2">
      {rows.map(({ name, at, isActive }) => (
        <li key={name} aria-current={isActive ? "step" : undefined} className="flex items-center gap-3">
          <span
            className={cx(
              "inline-flex size-7 items-center justify-center rounded-full border-2",
              at !== null
                ? "border-ink bg-ink text-paper"
                : isActive
                  ? "border-seal text-seal"
                  : "border-line",
            )}
          >
            {at !== null ? <Check className="size-4" aria-hidden /> : isActive ? <Spinner /> : null}
          </span>
          <span className={cx("flex-1", at === null && !isActive && "text-soft")}>{name}</span>
          <span className="text-sm text-soft tabular-nums">
            {at !== null || isActive ? duration(words, Math.max(0, (at ?? now) - begunAt)) : null}
          </span>
        </li>
      ))}
    </ol>
  );
}
