"use client";

import { useEffect, useRef, useState } from "react";
import { HandIn } from "@/components/actions/hand-in";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Hash } from "@/components/ui/hash";
import { ErrorNote, Note } from "@/components/ui/notes";
import { DEVELOPMENT_WALLET } from "@/components/wallet/discover";
import * as en from "@/lib/i18n/en";
import { duration } from "@/lib/i18n/time";
import { explorerLink, type PublicConfig } from "../config";
import { offerAmount } from "../price-tag";
import { AttestHelp } from "./attest-help";
import { Found } from "./found";
import { PayPanel } from "./pay-panel";
import { SealedPanel } from "./sealed-panel";
import { SignPanel } from "./sign-panel";
import { StageRow, type StageState } from "./stage-row";
import { stageWords } from "./stage-words";
import { type PayChoice, type Run, type RunProblem, type Stage, stagesOf } from "./types";
import type { RunControl } from "./use-run";
import { isWalletRun } from "./wallet-stages";

/** Milliseconds a stage usually takes; proving is told by the prover when it knows better. */
const usual: Partial<Record<Stage, number>> = { payment: 4000, witness: 1500, proving: 6000, checking: 2000 };

export interface ProofRunProps {
  readonly config: PublicConfig;
  readonly control: RunControl;
  readonly run: Run;
  /** "@acme.com" for the seal at the end. */
  readonly statement: string;
}

function stateOf(run: Run, stage: Stage, working: boolean): StageState {
  const order = stagesOf(run.subject);
  const at = order.indexOf(run.stage);
  const own = order.indexOf(stage);
  if (own < at || run.sealed) return "done";
  if (own > at) return "ahead";
  if (run.problem) return "failed";
  return working ? "active" : "waiting";
}

/** What is waited for, where it is not the work itself. */
function noteOf(run: Run, working: boolean): string | null {
  if (run.position !== null) {
    const place = en.run.position(run.position);
    return run.queueMs ? en.run.expected(place, duration(run.queueMs)) : place;
  }
  const paying = run.stage === "payment" && !run.payment && run.walletId !== DEVELOPMENT_WALLET;
  const signing = run.stage === "sign" && working && isWalletRun(run);
  const asked = paying || (signing && run.subject.holderId !== DEVELOPMENT_WALLET);
  return asked ? en.wallet.browser : null;
}

/** A proof on its way: stages, times, what leaves the device, what cancelling costs. */
export function ProofRun({ config, control, run, statement }: ProofRunProps) {
  const { working, go, identify, cancel } = control;
  const [confirming, setConfirming] = useState(false);
  const { walletId, network } = run;
  const [choice, setChoice] = useState<PayChoice>({ walletId, network });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  if (run.sealed) {
    const { subject, sealed } = run;
    const proven = subject.kind === "domain" && subject.domain ? en.seal.domain(subject.domain) : statement;
    if (run.purpose.kind === "petition") return <HandIn config={config} control={control} run={run} />;
    return <SealedPanel run={run} sealed={sealed} statement={proven} config={config} />;
  }

  const offer = config.offers.find((o) => o.network === choice.network);
  const toPay = !run.payment && !run.proof && !run.problem?.final;
  const waiting = !working && !run.problem;
  // What the prover needs again comes from its own buttons.
  const asking = run.inputsNeeded && (run.stage === "identity" || run.stage === "sign");
  return (
    <section aria-labelledby="run" className="grid gap-5 rounded-sheet border bg-sheet p-4 sm:p-5">
      <h2 id="run" ref={heading} tabIndex={-1} className="font-serif text-xl font-semibold outline-none">
        {en.run.title}
      </h2>
      {config.srs === "development" ? <Note tone="warning">{en.seal.development}</Note> : null}
      {run.inputsNeeded && !run.problem?.final ? (
        <Note tone="warning" title={en.run.inputsNeeded}>
          {isWalletRun(run) ? en.run.inputsNeededWallet : en.run.inputsNeededDomain}
        </Note>
      ) : null}
      <p className="sr-only" role="status">
        {run.problem ? en.run.stopped(en.run.stages[run.stage]) : en.run.now(en.run.stages[run.stage])}
      </p>
      <ol aria-label={en.run.stagesLabel}>
        {stagesOf(run.subject).map((stage) => (
          <StageRow
            key={stage}
            stage={stage}
            state={stateOf(run, stage, working)}
            time={run.times[stage]}
            expectedMs={
              stage === "proving" ? (run.expectedMs ?? usual.proving ?? null) : (usual[stage] ?? null)
            }
            note={stage === run.stage ? noteOf(run, working) : null}
            {...stageWords(stage, run.subject, config)}
            last={stage === "sealed"}
          >
            {stage === "identity" && isWalletRun(run) ? (
              <>
                <Found subject={run.subject} config={config} />
                {run.stage === stage && waiting ? (
                  <div className="pt-2">
                    <Button tone="primary" onClick={() => go()}>
                      {en.attested.connect}
                    </Button>
                  </div>
                ) : null}
              </>
            ) : null}
            {stage === "identity" && run.stage === stage && asking && !isWalletRun(run) && !working ? (
              <div className="pt-2">
                <Button tone="primary" onClick={identify}>
                  {en.run.identifyAgain}
                </Button>
              </div>
            ) : null}
            {stage === "sign" && run.stage === stage && isWalletRun(run) ? (
              <SignPanel run={run} control={control} />
            ) : null}
            {stage === "price" && run.stage === stage && toPay && !working ? (
              <PayPanel
                config={config}
                run={run}
                choice={choice}
                onChoice={setChoice}
                onPay={() => go(choice)}
              />
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
          // At the price the button that pays is there for it.
          onAgain={
            run.problem.final ? cancel : (run.stage === "price" && toPay) || asking ? null : () => go(choice)
          }
        />
      ) : null}
      <footer className="flex flex-wrap items-center gap-3">
        {waiting && !toPay && !asking ? (
          <Button tone="primary" onClick={() => go()}>
            {en.run.resume}
          </Button>
        ) : null}
        <Button tone="quiet" onClick={() => setConfirming(true)}>
          {en.run.cancel}
        </Button>
        <p className="text-sm text-soft">{run.payment ? null : en.run.cancelFree}</p>
      </footer>
      <Dialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={en.run.cancelTitle}
        footer={
          <>
            <Button onClick={() => setConfirming(false)}>{en.run.keepGoing}</Button>
            <Button tone="danger" onClick={cancel}>
              {en.run.cancelConfirm}
            </Button>
          </>
        }
      >
        <p>{run.payment && offer ? en.run.cancelPaid(offerAmount(offer)) : en.run.cancelFree}</p>
      </Dialog>
    </section>
  );
}

interface ProblemNoteProps {
  readonly problem: RunProblem;
  readonly config: PublicConfig;
  readonly holder: string | null;
  readonly onAgain: (() => void) | null;
}

/** What happened, what helps, and the button that goes on or starts anew. */
function ProblemNote({ problem, config, holder, onAgain }: ProblemNoteProps) {
  const label = problem.help ? en.attested.look : en.common.retry;
  return (
    <ErrorNote
      title={problem.help ? en.attested.unusable : en.run.failed}
      action={
        onAgain ? (
          <Button tone="primary" onClick={onAgain}>
            {problem.final ? en.signIn.startAgain : label}
          </Button>
        ) : null
      }
    >
      {problem.message}
      {problem.help ? <AttestHelp config={config} holder={holder} /> : null}
    </ErrorNote>
  );
}

interface TransactionProps {
  readonly run: Run;
  readonly config: PublicConfig;
  readonly hash: string;
}

function Transaction({ run, config, hash }: TransactionProps) {
  const offer = config.offers.find((o) => o.network === run.payment?.network);
  return (
    <p className="text-sm text-soft">
      {offer && run.payment
        ? `${en.run.paid(offerAmount({ ...offer, amount: run.payment.amount }))} · `
        : null}
      {en.seal.transaction}{" "}
      <Hash
        value={hash}
        label={en.run.transaction}
        href={offer ? explorerLink(config, offer.chainId, "tx", hash) : null}
      />
    </p>
  );
}
