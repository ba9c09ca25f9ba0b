"use client";

import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { explorerLink, type PublicConfig } from "@/components/proof/config";
import { ActionView } from "@/components/proof/run/sign-panel";
import type { Run } from "@/components/proof/run/types";
import type { RunControl } from "@/components/proof/run/use-run";
import { SealMark } from "@/components/proof/seal-mark";
import { Button } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import { ErrorNote, Note } from "@/components/ui/notes";
import { connectWallet } from "@/components/wallet/signer";
import { describeAction } from "@/lib/proofs/attestation/action-lines";
import { petitionCall, petitionCount } from "./petition";
import { petitionNotes } from "./petition-notes";

type Sending =
  | { readonly kind: "idle" }
  | { readonly kind: "sending" }
  | { readonly kind: "wrong"; readonly message: string; readonly hash: string | null }
  | { readonly kind: "done"; readonly hash: string; readonly count: bigint };

export interface SubmitActionProps {
  readonly config: PublicConfig;
  readonly control: RunControl;
  readonly run: Run;
}

/** Submits a proven action to its contract from the account that paid for the proof, and shows the result. */
export function SubmitAction({ config, control, run }: SubmitActionProps) {
  const words = useWords();
  const [sending, setSending] = useState<Sending>({ kind: "idle" });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { purpose, subject, proof, payment } = run;
  if (purpose.kind !== "petition" || subject.kind !== "wallet" || !subject.action || !proof || !payment)
    return null;
  const { action } = subject;
  const { contract, statement } = purpose;

  const submit = async () => {
    setSending({ kind: "sending" });
    try {
      const wallet = await connectWallet(run.walletId, config);
      const payer = wallet.addresses.find((one) => one.toLowerCase() === payment.payer.toLowerCase());
      if (!payer) return setSending({ kind: "wrong", message: words.t("petition.otherAccount"), hash: null });
      const { hash, succeeded } = await wallet.transact(payer, petitionCall(contract, action, proof));
      if (!succeeded) return setSending({ kind: "wrong", message: words.t("petition.failedText"), hash });
      setSending({ kind: "done", hash, count: await petitionCount(contract, statement, config) });
    } catch {
      setSending({ kind: "wrong", message: words.t("petition.notSent"), hash: null });
    }
  };
  const receipt = (hash: string) => (
    <p>
      {words.t("seal.transaction")}{" "}
      <Hash
        value={hash}
        label={words.t("petition.transaction")}
        href={explorerLink(config, contract.chainId, "tx", hash)}
      />
    </p>
  );
  const done = sending.kind === "done";
  return (
    <section aria-labelledby="hand-in" className="grid gap-5 rounded-sheet border bg-sheet p-4 sm:p-5">
      <header className="grid justify-items-center gap-3 py-3 text-center">
        <SealMark kind="person" size="lg" stamped />
        <h2
          id="hand-in"
          ref={heading}
          tabIndex={-1}
          className="font-serif text-2xl font-semibold outline-none"
        >
          {done ? words.t("petition.done") : words.t("petition.sealed")}
        </h2>
        <p role="status" className="max-w-[46ch] text-soft">
          {done ? words.t("petition.doneText") : words.t("petition.sealedText")}
        </p>
      </header>
      {config.srs === "development" ? <Note tone="warning">{words.t("seal.development")}</Note> : null}
      <ActionView lines={describeAction(action)} notes={petitionNotes(words, statement, action)} />
      {done ? (
        <Note tone="good" title={words.t("petition.count", { n: Number(sending.count) })}>
          {receipt(sending.hash)}
        </Note>
      ) : null}
      {sending.kind === "wrong" ? (
        <ErrorNote title={words.t("petition.failed")}>
          {sending.message}
          {sending.hash ? receipt(sending.hash) : null}
        </ErrorNote>
      ) : null}
      {done ? (
        <div>
          <Button tone="primary" onClick={control.cancel}>
            {words.t("petition.again")}
          </Button>
        </div>
      ) : (
        <footer className="grid gap-3">
          <p className="text-sm text-soft">
            {words.t("petition.submitFrom")}{" "}
            <Hash value={payment.payer} label={words.t("attested.wallet")} picture />
          </p>
          <div className="flex flex-wrap gap-2">
            <Button tone="primary" busy={sending.kind === "sending"} onClick={submit}>
              {sending.kind === "sending" ? words.t("petition.sending") : words.t("petition.submit")}
            </Button>
            <Button tone="quiet" disabled={sending.kind === "sending"} onClick={control.cancel}>
              {words.t("petition.give")}
            </Button>
          </div>
        </footer>
      )}
    </section>
  );
}
