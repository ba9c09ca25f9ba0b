"use client";

import { Check, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useShownContent } from "@/components/post/shown-content";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Hash } from "@/components/ui/hash";
import { ErrorNote, Note } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";
import { exactTime } from "@/lib/i18n/time";
import { type CheckResult, type Comparison, compareWithChain } from "./compare";
import { whileWatchingPolicy } from "./policy";
import type { Board, HexText } from "./types";

export interface CheckDialogProps {
  readonly postId: string;
  readonly txHash: HexText;
  readonly board: Board;
  readonly onClose: () => void;
}

type Outcome =
  | { readonly kind: "result"; readonly result: CheckResult; readonly host: string }
  | { readonly kind: "forbidden" }
  | { readonly kind: "silent"; readonly host: string };

/** Compares a record with the chain, in this browser, by whichever node the person trusts. */
export function CheckDialog({ postId, txHash, board, onClose }: CheckDialogProps) {
  const content = useShownContent();
  const [rpcUrl, setRpcUrl] = useState(board.rpcUrl);
  const [error, setError] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [busy, setBusy] = useState(false);
  const ask = async (event: FormEvent) => {
    event.preventDefault();
    const url = URL.parse(rpcUrl.trim());
    const isWeb = url?.protocol === "https:" || url?.origin === new URL(board.rpcUrl).origin;
    if (!url || !isWeb) return setError(en.record.badRpc);
    setError(null);
    setOutcome(null);
    setBusy(true);
    const { chainId, address, sender } = board;
    const claim = { postId, content, txHash, chainId, board: address, sender };
    const { value, wasForbidden } = await whileWatchingPolicy(url.origin, () =>
      compareWithChain(claim, url.href).catch(() => null),
    );
    setBusy(false);
    if (value) setOutcome({ kind: "result", result: value, host: url.host });
    else setOutcome(wasForbidden ? { kind: "forbidden" } : { kind: "silent", host: url.host });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={en.record.checkTitle}
      className="md:w-[min(620px,calc(100vw-48px))]!"
    >
      <p className="text-soft">{en.record.checkLead}</p>
      <form onSubmit={(event) => void ask(event)} className="grid gap-3" noValidate>
        <Field label={en.record.rpc} hint={en.record.rpcHint(board.chainName)} error={error}>
          {(control) => (
            <Input
              {...control}
              type="url"
              inputMode="url"
              spellCheck={false}
              value={rpcUrl}
              onChange={(event) => setRpcUrl(event.target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" busy={busy}>
            {en.record.ask}
          </Button>
        </div>
      </form>
      <div aria-live="polite" className="grid gap-3">
        {outcome ? <Shown outcome={outcome} txHash={txHash} board={board} /> : null}
      </div>
    </Dialog>
  );
}

interface ShownProps {
  readonly outcome: Outcome;
  readonly txHash: HexText;
  readonly board: Board;
}

function Shown({ outcome, txHash, board }: ShownProps) {
  if (outcome.kind === "forbidden") {
    return (
      <Note tone="warning">
        <p>{en.record.rpcForbidden}</p>
        <p className="mt-2">
          {en.record.transaction} <Hash value={txHash} label={en.record.transaction} /> · {en.record.board}{" "}
          <Hash value={board.address} label={en.record.board} />
        </p>
      </Note>
    );
  }
  if (outcome.kind === "silent") return <ErrorNote>{en.record.noAnswer(outcome.host)}</ErrorNote>;
  const { result, host } = outcome;
  return (
    <>
      {result.kind === "nothing" ? (
        <ErrorNote>{en.record.noEvent}</ErrorNote>
      ) : result.kind === "wrongChain" ? (
        <ErrorNote>{en.record.wrongChain(host, result.found, board.chainId)}</ErrorNote>
      ) : (
        <Compared result={result} />
      )}
      <p className="text-sm text-soft">
        {en.record.asked(host)} {result.kind === "compared" ? en.record.anchors : null}
      </p>
    </>
  );
}

function Compared({ result }: { readonly result: CheckResult & { readonly kind: "compared" } }) {
  const isSame = result.comparisons.every(({ isEqual }) => isEqual);
  return (
    <>
      <Note tone={isSame ? "good" : "wrong"} title={isSame ? en.record.allEqual : en.record.someDifferent}>
        {en.record.recordedAt(exactTime(new Date(result.timestamp * 1000)))}
      </Note>
      <ul className="divide-y rounded-sheet border">
        {result.comparisons.map((comparison) => (
          <ComparisonRow key={comparison.what} comparison={comparison} />
        ))}
      </ul>
    </>
  );
}

function ComparisonRow({ comparison: { what, here, chain, isEqual } }: { readonly comparison: Comparison }) {
  const name = en.record[what];
  return (
    <li className="grid gap-1.5 px-3 py-2.5 text-sm">
      <p className="flex items-center gap-2 font-medium">
        {isEqual ? (
          <Check className="size-4 text-moss" aria-hidden />
        ) : (
          <X className="size-4 text-seal" aria-hidden />
        )}
        {name}: {isEqual ? en.record.equal : en.record.different}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 ps-6">
        <dt className="text-soft">{en.record.columns.here}</dt>
        <dd>
          <Hash value={here} label={name} />
        </dd>
        <dt className="text-soft">{en.record.columns.chain}</dt>
        <dd>
          <Hash value={chain} label={name} />
        </dd>
      </dl>
    </li>
  );
}
