"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Hash } from "@/components/ui/hash";
import { ErrorNote, Note } from "@/components/ui/notes";
import { DEVELOPMENT_WALLET } from "@/components/wallet/discover";
import { type PayChoice, PayWith } from "@/components/wallet/pay-with";
import * as en from "@/lib/i18n/en";
import { explorerLink, type PublicConfig } from "../config";
import { offerAmount } from "../price-tag";
import { SealedPanel } from "./sealed-panel";
import { StageRow, type StageState } from "./stage-row";
import { type Run, type Stage, stages } from "./types";
import type { RunControl } from "./use-run";

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
  const at = stages.indexOf(run.stage);
  const own = stages.indexOf(stage);
  if (own < at || run.sealed) return "done";
  if (own > at) return "ahead";
  if (run.problem) return "failed";
  return working ? "active" : "waiting";
}

/** What is waited for, where it is not the work itself. */
function noteOf(run: Run): string | null {
  if (run.position !== null) return en.run.position(run.position);
  const asked = run.stage === "payment" && !run.payment && run.walletId !== DEVELOPMENT_WALLET;
  return asked ? en.wallet.browser : null;
}

/** A proof on its way: stages, times, what leaves the device, what cancelling costs. */
export function ProofRun({ config, control, run, statement }: ProofRunProps) {
  const { working, go, cancel } = control;
  const [asking, setAsking] = useState(false);
  const [choice, setChoice] = useState<PayChoice>({ walletId: run.walletId, network: run.network });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  if (run.sealed)
    return (
      <SealedPanel
        run={run}
        sealed={run.sealed}
        statement={run.domain ? en.seal.domain(run.domain) : statement}
        config={config}
      />
    );

  const offer = config.offers.find((o) => o.network === choice.network);
  const toPay = !run.payment && !run.proof && !run.problem?.final;
  const startAgain = () => cancel();
  return (
    <section aria-labelledby="run" className="grid gap-5 rounded-sheet border bg-sheet p-5">
      <h2 id="run" ref={heading} tabIndex={-1} className="font-serif text-xl font-semibold outline-none">
        {en.run.title}
      </h2>
      {config.srs === "development" ? <Note tone="warning">{en.seal.development}</Note> : null}
      <p className="sr-only" role="status">
        {run.problem ? en.run.stopped(en.run.stages[run.stage]) : en.run.now(en.run.stages[run.stage])}
      </p>
      <ol aria-label={en.run.stagesLabel}>
        {stages.map((stage) => (
          <StageRow
            key={stage}
            stage={stage}
            state={stateOf(run, stage, working)}
            time={run.times[stage]}
            expectedMs={
              stage === "proving" ? (run.expectedMs ?? usual.proving ?? null) : (usual[stage] ?? null)
            }
            note={stage === run.stage ? noteOf(run) : null}
            last={stage === "sealed"}
          >
            {stage === "price" && run.stage === "price" && !working && !run.problem?.final ? (
              <div className="grid justify-items-start gap-4 pt-2 *:first:w-full">
                <PayWith config={config} value={choice} onChange={setChoice} />
                {toPay && !run.problem && offer ? (
                  <Button tone="primary" disabled={!choice.walletId} onClick={() => go(choice)}>
                    {en.run.pay(offerAmount(offer))}
                  </Button>
                ) : null}
              </div>
            ) : null}
            {stage === "payment" && run.payment?.transaction ? (
              <Transaction run={run} config={config} hash={run.payment.transaction} />
            ) : null}
          </StageRow>
        ))}
      </ol>
      {run.problem ? (
        <ErrorNote
          title={en.run.failed}
          action={
            run.problem.final ? (
              <Button tone="primary" onClick={startAgain}>
                {en.signIn.startAgain}
              </Button>
            ) : (
              <Button tone="primary" onClick={() => go(choice)}>
                {en.common.retry}
              </Button>
            )
          }
        >
          {run.problem.message}
        </ErrorNote>
      ) : null}
      <footer className="flex flex-wrap items-center gap-3">
        {!working && !toPay && !run.problem ? (
          <Button tone="primary" onClick={() => go()}>
            {en.run.resume}
          </Button>
        ) : null}
        <Button tone="quiet" onClick={() => setAsking(true)}>
          {en.run.cancel}
        </Button>
        <p className="text-sm text-soft">{run.payment ? null : en.run.cancelFree}</p>
      </footer>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={en.run.cancelTitle}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>{en.run.keepGoing}</Button>
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

interface TransactionProps {
  readonly run: Run;
  readonly config: PublicConfig;
  readonly hash: string;
}

function Transaction({ run, config, hash }: TransactionProps) {
  const offer = config.offers.find((o) => o.network === run.payment?.network);
  return (
    <p className="text-sm text-soft">
      {offer ? `${offerAmount(offer)} · ` : null}
      {en.seal.transaction}{" "}
      <Hash
        value={hash}
        label={en.run.transaction}
        href={offer ? explorerLink(config, offer.chainId, "tx", hash) : null}
      />
    </p>
  );
}
