"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { NicknameForm } from "@/components/profile/nickname-form";
import { Button } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import * as en from "@/lib/i18n/en";
import { explorerLink, type PublicConfig } from "../config";
import { SealMark } from "../seal-mark";
import { dropRun } from "./storage";
import type { Run, Sealed } from "./types";

export interface SealedPanelProps {
  readonly run: Run;
  readonly sealed: Sealed;
  readonly statement: string;
  readonly config: PublicConfig;
}

function sentenceOf(run: Run, sealed: Sealed): string {
  if (sealed.pending) return en.run.sealedPending;
  if (run.purpose.kind === "sign-in") return en.run.sealedSignIn;
  return en.run.sealedJoin(run.purpose.kind === "create" ? run.purpose.topic.title : run.purpose.title);
}

/** The end of a run: the seal is stamped, once; then on to where the user wanted to be. */
export function SealedPanel({ run, sealed, statement, config }: SealedPanelProps) {
  const router = useRouter();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    // It is over: shown this once, and not again when somebody comes back to this page.
    dropRun();
    // The session may be new: what the server renders around this panel changes with it.
    router.refresh();
  }, [router]);
  const goOn = () => {
    router.push(sealed.next);
    router.refresh();
  };
  const offer = config.offers.find((o) => o.network === run.payment?.network);
  return (
    <section
      aria-labelledby="sealed"
      className="grid justify-items-center gap-4 rounded-sheet border bg-sheet px-5 py-10 text-center"
    >
      <SealMark kind="domain" size="lg" stamped />
      <h2 id="sealed" ref={heading} tabIndex={-1} className="font-serif text-2xl font-semibold outline-none">
        {en.run.stages.sealed}: {statement}
      </h2>
      <p className="max-w-[46ch] text-soft" role="status">
        {sentenceOf(run, sealed)}
      </p>
      {run.payment?.transaction ? (
        <p className="text-sm text-soft">
          {en.run.payment}{" "}
          <Hash
            value={run.payment.transaction}
            label={en.run.transaction}
            href={offer ? explorerLink(config, offer.chainId, "tx", run.payment.transaction) : null}
          />
        </p>
      ) : null}
      {config.srs === "development" ? <p className="text-sm text-amber">{en.seal.development}</p> : null}
      {sealed.needsNickname ? (
        <div className="w-full max-w-sm text-start">
          <NicknameForm current={null} onSaved={goOn} />
        </div>
      ) : (
        <Button tone="primary" onClick={goOn}>
          {en.run.goOn}
        </Button>
      )}
    </section>
  );
}
