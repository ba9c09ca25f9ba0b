"use client";

import { useEffect, useRef } from "react";
import { useWords } from "#words";
import { Button, Spinner } from "@/components/ui/button";
import { ErrorNote, Note } from "@/components/ui/notes";
import { QrCode } from "./qr";
import { type Ask, type Completed, useProofRequest } from "./use-request";

export interface HandOverPanelProps {
  readonly ask: Ask;
  readonly onDone: (completed: Completed) => void;
  readonly onClose: () => void;
}

/** Shows the QR code and the code to compare, and waits for the phone. */
export function HandOverPanel({ ask, onDone, onClose }: HandOverPanelProps) {
  const { t } = useWords();
  const { state, again, confirm } = useProofRequest(ask);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is reported once, not whenever the callback changes
  useEffect(() => {
    if (state.kind === "done") onDone(state.completed);
  }, [state]);
  const retry = (
    <Button tone="primary" onClick={again}>
      {t("relay.again")}
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
        {t("relay.title")}
      </h2>
      {state.kind === "waiting" ? (
        <>
          <p className="text-soft">{t("relay.scan")}</p>
          <QrCode text={state.asked.deepLink} label={t("relay.qr")} />
          <p className="grid gap-1 text-sm">
            <span className="text-soft">{t("relay.address")}</span>
            <a href={state.asked.deepLink} className="link font-mono break-all">
              {state.asked.deepLink}
            </a>
          </p>
          <Code code={state.asked.code} />
          <p className="text-sm text-soft">{t("relay.sameCode")}</p>
          <p className="flex items-center gap-3 text-sm text-soft">
            <Spinner />
            <span role="status">{t("relay.waiting")}</span>
            <span>{t("relay.left", { minutes: Math.ceil(state.secondsLeft / 60) })}</span>
          </p>
        </>
      ) : null}
      {state.kind === "found" ? (
        <>
          <p role="status" className="text-lg">
            {t("relay.found", { nickname: state.nickname })}
          </p>
          <p className="max-w-[60ch] text-sm text-soft">{t("relay.foundText")}</p>
          <div>
            <Button tone="primary" onClick={() => confirm(state.asked)}>
              {t("relay.goOnAs", { nickname: state.nickname })}
            </Button>
          </div>
        </>
      ) : null}
      {state.kind === "asking" || state.kind === "done" ? (
        <p role="status" className="flex items-center gap-3 text-soft">
          <Spinner />
          {state.kind === "done" ? t("relay.answered") : t("relay.asking")}
        </p>
      ) : null}
      {state.kind === "ran-out" ? (
        <Note tone="warning" title={t("relay.ranOut")} action={retry}>
          {t("relay.ranOutText")}
        </Note>
      ) : null}
      {state.kind === "failed" ? (
        <ErrorNote title={t("relay.failed")} action={retry}>
          {state.message}
        </ErrorNote>
      ) : null}
      <div>
        <Button tone="quiet" onClick={onClose}>
          {t("relay.close")}
        </Button>
      </div>
    </section>
  );
}

/** The six digits that both screens show. */
function Code({ code }: { readonly code: string }) {
  const { t } = useWords();
  return (
    <p className="grid gap-1">
      <span className="text-sm text-soft">{t("relay.code")}</span>
      <output className="font-mono text-3xl font-semibold tracking-widest" aria-label={t("relay.code")}>
        {`${code.slice(0, 3)} ${code.slice(3)}`}
      </output>
    </p>
  );
}
