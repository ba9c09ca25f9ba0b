"use client";

import { useEffect, useRef } from "react";
import { Button, Spinner } from "@/components/ui/button";
import { ErrorNote, Note } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";
import { Code } from "./code";
import { QrCode } from "./qr";
import { type Ask, type Completed, useProofRequest } from "./use-request";

export interface HandOverPanelProps {
  readonly ask: Ask;
  /** The phone has answered. */
  readonly onDone: (completed: Completed) => void;
  readonly onClose: () => void;
}

/** The QR code, the code to compare, and the wait for the phone. */
export function HandOverPanel({ ask, onDone, onClose }: HandOverPanelProps) {
  const { state, again } = useProofRequest(ask);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is told once, however often its teller is made anew
  useEffect(() => {
    if (state.kind === "done") onDone(state.completed);
  }, [state]);
  const retry = (
    <Button tone="primary" onClick={again}>
      {en.relay.again}
    </Button>
  );
  return (
    <section aria-labelledby="hand-over" className="grid gap-4 rounded-sheet border bg-sheet p-4 sm:p-5">
      <h2
        id="hand-over"
        ref={heading}
        tabIndex={-1}
        className="font-serif text-xl font-semibold outline-none"
      >
        {en.relay.title}
      </h2>
      {state.kind === "waiting" ? (
        <>
          <p className="text-soft">{en.relay.scan}</p>
          <QrCode text={state.asked.deepLink} label={en.relay.qr} />
          <p className="grid gap-1 text-sm">
            <span className="text-soft">{en.relay.address}</span>
            <a href={state.asked.deepLink} className="link font-mono break-all">
              {state.asked.deepLink}
            </a>
          </p>
          <Code code={state.asked.code} />
          <p className="text-sm text-soft">{en.relay.sameCode}</p>
          <p className="flex items-center gap-3 text-sm text-soft">
            <Spinner />
            <span role="status">{en.relay.waiting}</span>
            <span>{en.relay.left(Math.ceil(state.secondsLeft / 60))}</span>
          </p>
        </>
      ) : null}
      {state.kind === "asking" || state.kind === "done" ? (
        <p role="status" className="flex items-center gap-3 text-soft">
          <Spinner />
          {state.kind === "done" ? en.relay.answered : en.relay.asking}
        </p>
      ) : null}
      {state.kind === "ran-out" ? (
        <Note tone="warning" title={en.relay.ranOut} action={retry}>
          {en.relay.ranOutText}
        </Note>
      ) : null}
      {state.kind === "failed" ? (
        <ErrorNote title={en.relay.failed} action={retry}>
          {state.message}
        </ErrorNote>
      ) : null}
      <div>
        <Button tone="quiet" onClick={onClose}>
          {en.relay.close}
        </Button>
      </div>
    </section>
  );
}
