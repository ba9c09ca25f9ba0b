"use client";

import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { SubmitAction } from "@/components/actions/submit-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Hash } from "@/components/ui/hash";
import { ErrorNote, Note, Skeleton } from "@/components/ui/notes";
import { PayWith } from "@/components/wallet/pay-with";
import { obstacle } from "../browser/support";
import { explorerLink, type PublicConfig } from "../config";
import { offerAmount } from "../price-tag";
import { serverProver } from "../prover-choice";
import { proverConfig } from "./own-prover";
import { SealedPanel } from "./sealed-panel";
import { Found, SignPanel } from "./sign-panel";
import { StageRow } from "./stage-row";
import {
  circuitOf,
  hasInputs,
  isWalletRun,
  type PayChoice,
  type Run,
  type RunProblem,
  stagesOf,
} from "./types";
import type { RunControl } from "./use-run";

export interface ProofRunProps {
  readonly config: PublicConfig;
  readonly control: RunControl;
  readonly run: Run;
  /** "@acme.com" for the seal at the end. */
  readonly statement: string;
}

/** Shows a run: its stages and their times, what leaves the device, and what canceling costs. */
export function ProofRun({ config, control, run, statement }: ProofRunProps) {
  const words = useWords();
  const { working, go, price, identify, change, cancel } = control;
  const [confirming, setConfirming] = useState(false);
  const { walletId, network } = run;
  const [choice, setChoice] = useState<PayChoice>({ walletId, network });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  if (run.sealed) {
    const { subject, sealed } = run;
    const proven =
      subject.kind === "domain" && subject.domain
        ? words.t("seal.domain", { domain: subject.domain })
        : statement;
    if (run.purpose.kind === "petition") return <SubmitAction config={config} control={control} run={run} />;
    return <SealedPanel run={run} sealed={sealed} statement={proven} config={config} />;
  }

  const here = run.prover.kind === "browser";
  const offer = proverConfig(config, run).offers.find((o) => o.network === choice.network);
  const toPay = !here && !run.payment && !run.proof && !run.problem?.final;
  const waiting = !working && !run.problem;
  const hasNoPrice = run.prover.kind === "own" && run.offers === null;
  // The identity and sign stages have their own buttons for inputs that the prover needs again.
  const asking = run.inputsNeeded && (run.stage === "identity" || run.stage === "sign");
  const retryOf = (problem: RunProblem) => {
    if (problem.final) return cancel;
    // The price stage's own button pays again.
    if (run.stage === "price" && toPay) return hasNoPrice ? price : null;
    return asking ? null : () => go(choice);
  };
  return (
    <section aria-labelledby="run" className="grid gap-5 rounded-sheet border bg-sheet p-4 sm:p-5">
      <h2 id="run" ref={heading} tabIndex={-1} className="font-serif text-xl font-semibold outline-none">
        {words.t("run.title")}
      </h2>
      {config.srs === "development" ? <Note tone="warning">{words.t("seal.development")}</Note> : null}
      {run.inputsNeeded && !run.problem?.final ? (
        <Note tone="warning" title={words.t("run.inputsNeeded")}>
          {isWalletRun(run) ? words.t("run.inputsNeededWallet") : words.t("run.inputsNeededDomain")}
        </Note>
      ) : null}
      <p className="sr-only" role="status">
        {run.problem
          ? words.t("run.stopped", { stage: words.t(`run.stages.${run.stage}`) })
          : words.t("run.now", { stage: words.t(`run.stages.${run.stage}`) })}
      </p>
      <ol aria-label={words.t("run.stagesLabel")}>
        {stagesOf(run).map((stage) => (
          <StageRow key={stage} stage={stage} run={run} config={config} working={working}>
            {stage === "identity" && isWalletRun(run) ? (
              <>
                <Found subject={run.subject} config={config} />
                {run.stage === stage && waiting ? (
                  <div className="pt-2">
                    <Button tone="primary" onClick={() => go()}>
                      {words.t("attested.connect")}
                    </Button>
                  </div>
                ) : null}
              </>
            ) : null}
            {stage === "identity" && run.stage === stage && asking && !isWalletRun(run) && !working ? (
              <div className="pt-2">
                <Button tone="primary" onClick={identify}>
                  {words.t("run.identifyAgain")}
                </Button>
              </div>
            ) : null}
            {stage === "sign" && run.stage === stage && isWalletRun(run) ? (
              <SignPanel run={run} control={control} />
            ) : null}
            {stage === "price" && run.stage === stage && toPay && !working ? (
              <PayPanel config={config} run={run} control={control} choice={choice} onChoice={setChoice} />
            ) : null}
            {stage === "payment" && run.payment?.transaction ? (
              <Transaction run={run} config={config} hash={run.payment.transaction} />
            ) : null}
          </StageRow>
        ))}
      </ol>
      {run.problem ? (
        <ProblemNote
          problem={run.problem}
          config={config}
          holder={isWalletRun(run) ? run.subject.holder : null}
          onAgain={retryOf(run.problem)}
          onOther={run.problem.otherProver ? () => change(serverProver) : null}
        />
      ) : null}
      <footer className="flex flex-wrap items-center gap-3">
        {waiting && !asking && (here ? hasInputs(run) : !toPay) ? (
          <Button tone="primary" onClick={() => go()}>
            {words.t("common.goOn")}
          </Button>
        ) : null}
        <Button tone="quiet" onClick={() => setConfirming(true)}>
          {words.t("common.cancel")}
        </Button>
        <p className="text-sm text-soft">
          {run.payment ? null : words.t(here ? "prover.cancelHere" : "run.cancelFree")}
        </p>
      </footer>
      <Dialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={words.t("run.cancelTitle")}
        footer={
          <>
            <Button onClick={() => setConfirming(false)}>{words.t("run.keepGoing")}</Button>
            <Button tone="danger" onClick={cancel}>
              {words.t("run.cancelConfirm")}
            </Button>
          </>
        }
      >
        <p>
          {run.payment && offer
            ? words.t("run.cancelPaid", { amount: offerAmount(words, offer) })
            : words.t(here ? "prover.cancelHere" : "run.cancelFree")}
        </p>
      </Dialog>
    </section>
  );
}

interface PayPanelProps {
  readonly config: PublicConfig;
  readonly run: Run;
  readonly control: RunControl;
  readonly choice: PayChoice;
  readonly onChoice: (choice: PayChoice) => void;
}

/** The price, the wallets that can pay it, and the one button that opens a wallet. */
function PayPanel({ config, run, control, choice, onChoice }: PayPanelProps) {
  const words = useWords();
  const { go, price, change } = control;
  const isOwn = run.prover.kind === "own";
  // The start form could not show the price and the chain of a member's own prover, so nothing is folded away.
  const [folded] = useState(!isOwn && run.subject.kind !== "wallet" && choice.walletId !== "");
  useEffect(() => {
    price();
  }, [price]);
  if (isOwn && run.offers === null) {
    return run.problem ? null : (
      <div className="grid gap-3 pt-2" role="status">
        <span className="sr-only">{words.t("prover.asking")}</span>
        <Skeleton className="h-8 w-32" />
        <Skeleton className="h-16 w-full" />
      </div>
    );
  }
  const shown = proverConfig(config, run);
  const offer = shown.offers.find((o) => o.network === choice.network) ?? shown.offers[0];
  const canBeHere =
    run.purpose.kind !== "petition" && obstacle(config.browserProving, circuitOf(run)) === null;
  return (
    <div className="grid justify-items-start gap-4 pt-2 *:first:w-full">
      <PayWith
        config={shown}
        value={choice}
        onChange={onChoice}
        holderId={run.subject.kind === "wallet" ? run.subject.holderId : null}
        folded={folded}
      />
      <div className="flex flex-wrap gap-2">
        {offer ? (
          <Button
            tone="primary"
            disabled={!choice.walletId}
            onClick={() => go({ ...choice, network: offer.network })}
          >
            {words.t("run.pay", { amount: offerAmount(words, offer) })}
          </Button>
        ) : null}
        {canBeHere ? (
          <Button tone="quiet" wrap onClick={() => change({ kind: "browser" })}>
            {words.t("prover.switchHere")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

interface TransactionProps {
  readonly run: Run;
  readonly config: PublicConfig;
  readonly hash: string;
}

/** The payment: its amount and its transaction. */
function Transaction({ run, config, hash }: TransactionProps) {
  const words = useWords();
  const offer = config.offers.find((o) => o.network === run.payment?.network);
  return (
    <p className="text-sm text-soft">
      {offer && run.payment
        ? `${words.t("run.paid", { amount: offerAmount(words, { ...offer, amount: run.payment.amount }) })} · `
        : null}
      {words.t("seal.transaction")}{" "}
      <Hash
        value={hash}
        label={words.t("run.transaction")}
        href={offer ? explorerLink(config, offer.chainId, "tx", hash) : null}
      />
    </p>
  );
}

interface ProblemNoteProps {
  readonly problem: RunProblem;
  readonly config: PublicConfig;
  readonly holder: string | null;
  readonly onAgain: (() => void) | null;
  /** Moves the run to the installation's prover when this browser cannot make the proof. */
  readonly onOther: (() => void) | null;
}

/** Says what went wrong and what helps, with the button that tries again or starts over. */
function ProblemNote({ problem, config, holder, onAgain, onOther }: ProblemNoteProps) {
  const { t } = useWords();
  const label = problem.help ? t("attested.look") : t("common.retry");
  return (
    <ErrorNote
      title={problem.help ? t("attested.unusable") : t("run.failed")}
      action={
        <>
          {onAgain ? (
            <Button tone="primary" onClick={onAgain}>
              {problem.final ? t("signIn.startAgain") : label}
            </Button>
          ) : null}
          {onOther ? <Button onClick={onOther}>{t("prover.switchServer")}</Button> : null}
        </>
      }
    >
      {problem.message}
      {problem.help ? <AttestHelp config={config} holder={holder} /> : null}
    </ErrorNote>
  );
}

interface AttestHelpProps {
  readonly config: PublicConfig;
  /** The wallet without an attestation. */
  readonly holder: string | null;
}

/** Explains how to get an attestation; on a development installation it links to the attester. */
function AttestHelp({ config, holder }: AttestHelpProps) {
  const { t } = useWords();
  const about = holder ? `?address=${holder}` : "";
  return (
    <div className="mt-2 grid gap-1">
      {holder ? (
        <p>
          {t("attested.lookedUp")} <Hash value={holder} label={t("attested.wallet")} picture />
        </p>
      ) : null}
      <p className="font-medium">{t("attested.howTo")}</p>
      <p>{config.attesterPage ? t("attested.howToDevelopment") : t("attested.howToText")}</p>
      {config.attesterPage ? (
        <p>
          <a className="link" href={`${config.attesterPage}${about}`} target="_blank" rel="noreferrer">
            {t("attested.openAttester")}
          </a>
        </p>
      ) : null}
    </div>
  );
}
