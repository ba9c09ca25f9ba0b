"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useEffect } from "react";
import { useWords } from "#words";
import { ButtonLink } from "@/components/ui/button";
import { Note, Skeleton } from "@/components/ui/notes";
import type { PublicConfig } from "./config";
import { type Demand, demandWords } from "./demand";
import type { RunPlace } from "./run/types";
import { useRun } from "./run/use-run";
import { StartForm } from "./start-form";
import { WalletStart } from "./wallet-start";

const ProofRun = dynamic(() => import("./run/proof-run").then((m) => m.ProofRun), {
  loading: () => <Skeleton className="h-96 w-full" />,
});

export interface ProofFlowProps extends RunPlace {
  readonly config: PublicConfig;
  readonly demand: Demand;
  /** Shown instead of the start form when no run is under way. */
  readonly otherwise?: ReactNode;
  /** Above the start form; gone while a run is under way. */
  readonly intro?: ReactNode;
  /** Below the start form; gone while a run is under way. */
  readonly extra?: ReactNode;
  /** True where the page itself says beside the form what is learnt, on wide screens. */
  readonly beside?: boolean;
  /** False while something above the form is still missing. */
  readonly ready?: boolean;
}

/** The start form, or the run of this tab that goes on here. */
export function ProofFlow(props: ProofFlowProps) {
  const words = useWords();
  const { config, demand, otherwise, intro, extra, beside = false, ready = true, ...place } = props;
  const control = useRun(config, place.purpose);
  const { run } = control;
  useFullNavigation();
  // A provider is asked on its own pages: until it has answered, there is nothing to show here but what is paid.
  if (run && (run.subject.kind === "wallet" || run.stage !== "identity" || run.payment)) {
    return <ProofRun config={config} control={control} run={run} statement={demandWords(words, demand)} />;
  }
  return (
    otherwise ?? (
      <>
        {control.other ? (
          <Note
            tone="warning"
            title={words.t("run.interrupted")}
            action={
              <ButtonLink href={control.other.page} size="sm">
                {words.t("run.resume")}
              </ButtonLink>
            }
          />
        ) : null}
        {intro}
        {demand.kind === "wallet" ? (
          <WalletStart
            config={config}
            place={place}
            demand={demand}
            beside={beside}
            ready={ready}
            onBegin={control.begin}
          />
        ) : (
          <StartForm config={config} place={place} demand={demand} beside={beside} />
        )}
        {extra}
      </>
    )
  );
}

/**
 * In an isolated page (proxy.ts) what other sites embed is blocked, and a page that Next changes to in place stays
 * isolated: a video there would not play. So links out of an isolated page load the next one anew.
 */
function useFullNavigation(): void {
  useEffect(() => {
    if (!globalThis.crossOriginIsolated) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      // Before React hears of it, so that the browser follows the link by itself.
      if (link) event.stopPropagation();
    };
    window.addEventListener("click", onClick, { capture: true });
    return () => window.removeEventListener("click", onClick, { capture: true });
  }, []);
}
