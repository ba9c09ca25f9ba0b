"use client";

import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button";
import { Note, Skeleton } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";
import { useRun } from "./run/use-run";
import type { StartFormProps } from "./start-form";
import { StartForm } from "./start-form";

const ProofRun = dynamic(() => import("./run/proof-run").then((m) => m.ProofRun), {
  loading: () => <Skeleton className="h-96 w-full" />,
});

export interface ProofFlowProps extends StartFormProps {
  /** Shown instead of the start form when no run is under way. */
  readonly otherwise?: ReactNode;
  /** Below the start form; gone while a run is under way. */
  readonly extra?: ReactNode;
}

/** The start form, or the run of this tab that goes on here. */
export function ProofFlow({ otherwise, extra, ...start }: ProofFlowProps) {
  const control = useRun(start.config, start.purpose);
  if (control.run && control.run.stage !== "identity") {
    const statement = start.domain ? en.seal.domain(start.domain) : en.seal.anyDomain;
    return <ProofRun config={start.config} control={control} run={control.run} statement={statement} />;
  }
  return (
    otherwise ?? (
      <>
        {control.other ? (
          <Note
            tone="warning"
            title={en.run.interrupted}
            action={
              <ButtonLink href={control.other.page} size="sm">
                {en.run.resume}
              </ButtonLink>
            }
          />
        ) : null}
        <StartForm {...start} />
        {extra}
      </>
    )
  );
}
