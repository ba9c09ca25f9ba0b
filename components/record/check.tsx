"use client";

import { Check, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { useShownContent } from "@/components/post/shown-content";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Hash } from "@/components/ui/hash";
import { ErrorNote, Note } from "@/components/ui/notes";
import { exactTime } from "@/lib/i18n/time";
import { type CheckResult, type Comparison, compareWithChain } from "./compare";
import type { Board, HexText } from "./record";

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

/** Compares a record with the chain in this browser, through a node that the user trusts. */
export function CheckDialog({ postId, txHash, board, onClose }: CheckDialogProps) {
  const { t } = useWords();
  const { html: content } = useShownContent();
  const [rpcUrl, setRpcUrl] = useState(board.rpcUrl);
  const [error, setError] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [busy, setBusy] = useState(false);
  const ask = async (event: FormEvent) => {
    event.preventDefault();
    const url = URL.parse(rpcUrl.trim());
    const isWeb = url?.protocol === "https:" || url?.origin === new URL(board.rpcUrl).origin;
    if (!url || !isWeb) return setError(t("record.badRpc"));
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
      title={t("record.checkTitle")}
      className="md:w-[min(620px,calc(100vw-48px))]!"
    >
      <p className="text-soft">{t("record.checkLead")}</p>
      <form onSubmit={(event) => void ask(event)} className="grid gap-3" noValidate>
        <Field label={t("record.rpc")} hint={t("record.rpcHint", { chain: board.chainName })} error={error}>
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
            {t("record.ask")}
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
  const { t } = useWords();
  if (outcome.kind === "forbidden") {
    return (
      <Note tone="warning">
        <p>{t("record.rpcForbidden")}</p>
        <p className="mt-2">
          {t("record.transaction")} <Hash value={txHash} label={t("record.transaction")} /> ·{" "}
          {t("record.board")} <Hash value={board.address} label={t("record.board")} />
        </p>
      </Note>
    );
  }
  if (outcome.kind === "silent") return <ErrorNote>{t("record.noAnswer", { host: outcome.host })}</ErrorNote>;
  const { result, host } = outcome;
  return (
    <>
      {result.kind === "nothing" ? (
        <ErrorNote>{t("record.noEvent")}</ErrorNote>
      ) : result.kind === "wrongChain" ? (
        <ErrorNote>
          {t("record.wrongChain", { host: host, found: result.found, wanted: board.chainId })}
        </ErrorNote>
      ) : (
        <Compared result={result} />
      )}
      <p className="text-sm text-soft">
        {t("record.asked", { host: host })} {result.kind === "compared" ? t("record.anchors") : null}
      </p>
    </>
  );
}

function Compared({ result }: { readonly result: CheckResult & { readonly kind: "compared" } }) {
  const words = useWords();
  const isSame = result.comparisons.every(({ isEqual }) => isEqual);
  return (
    <>
      <Note
        tone={isSame ? "good" : "wrong"}
        title={isSame ? words.t("record.allEqual") : words.t("record.someDifferent")}
      >
        {words.t("record.recordedAt", { time: exactTime(words, new Date(result.timestamp * 1000)) })}
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
  const { t } = useWords();
  const name = t(`record.${what}`);
  return (
    <li className="grid gap-1.5 px-3 py-2.5 text-sm">
      <p className="flex items-center gap-2 font-medium">
        {isEqual ? (
          <Check className="size-4 text-moss" aria-hidden />
        ) : (
          <X className="size-4 text-seal" aria-hidden />
        )}
        {name}: {isEqual ? t("record.equal") : t("record.different")}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 ps-6">
        <dt className="text-soft">{t("record.columns.here")}</dt>
        <dd>
          <Hash value={here} label={name} />
        </dd>
        <dt className="text-soft">{t("record.columns.chain")}</dt>
        <dd>
          <Hash value={chain} label={name} />
        </dd>
      </dl>
    </li>
  );
}

/** Runs `work` and reports whether this page's CSP blocked a request to `origin`, which a script sees as a network error. */
async function whileWatchingPolicy<T>(
  origin: string,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly wasForbidden: boolean }> {
  let wasForbidden = false;
  const onViolation = (event: SecurityPolicyViolationEvent) => {
    if (URL.parse(event.blockedURI)?.origin === origin) wasForbidden = true;
  };
  document.addEventListener("securitypolicyviolation", onViolation);
  try {
    const value = await work();
    // The violation event has its own task, which may run after the failure.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { value, wasForbidden };
  } finally {
    document.removeEventListener("securitypolicyviolation", onViolation);
  }
}
