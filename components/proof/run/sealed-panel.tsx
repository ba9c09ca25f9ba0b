"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { NicknameForm } from "@/components/profile/nickname-form";
import { proposedNickname } from "@/components/profile/proposed-nickname";
import { Button } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import { firstPlace } from "@/lib/client/places";
import type { Words } from "@/lib/i18n/words";
import { explorerLink, type PublicConfig } from "../config";
import { offerAmount } from "../price-tag";
import { type SealKind, SealMark } from "../seal-mark";
import { dropRun } from "./storage";
import type { Run, Sealed, Subject } from "./types";

export interface SealedPanelProps {
  readonly run: Run;
  readonly sealed: Sealed;
  readonly statement: string;
  readonly config: PublicConfig;
}

function sentenceOf(words: Words, { purpose }: Run, sealed: Sealed): string {
  if (sealed.pending) return words.t("run.sealedPending");
  switch (purpose.kind) {
    case "sign-in":
      return words.t("run.sealedSignIn");
    case "create":
      return words.t("run.sealedJoin", { topic: purpose.topic.title });
    case "join":
    case "invite":
      return words.t("run.sealedJoin", { topic: purpose.title });
    case "relay":
      return words.t("relay.sealed");
    case "petition":
      return words.t("petition.sealedText");
  }
}

/** Returns the kind of the seal that a run ends with. */
function sealKindOf(subject: Subject): SealKind {
  if (subject.kind === "domain") return "domain";
  return subject.list ? "country" : "person";
}

/** The end of a run: shows the seal, and continues to where the user wanted to be. */
export function SealedPanel({ run, sealed, statement, config }: SealedPanelProps) {
  const words = useWords();
  const router = useRouter();
  const heading = useRef<HTMLHeadingElement>(null);
  const [proposed] = useState(proposedNickname);
  const elsewhere = run.purpose.kind === "relay";
  const { needsNickname } = sealed;
  useEffect(() => {
    // Where there is a name to choose, its field has the focus.
    if (!needsNickname) heading.current?.focus();
    // The run is shown this once, not when the user comes back to this page.
    dropRun();
    // The server renders the rest of the page for the session, which may be new. With a proof for another device nothing
    // changes here, and a refresh would replace this panel.
    if (!elsewhere) router.refresh();
  }, [router, elsewhere, needsNickname]);
  const goOn = (next = sealed.next) => {
    // See useFullNavigation.
    if (globalThis.crossOriginIsolated) return window.location.assign(next);
    router.push(next);
    router.refresh();
  };
  const offer = config.offers.find((o) => o.network === run.payment?.network);
  return (
    <section
      aria-labelledby="sealed"
      className="grid justify-items-center gap-4 rounded-sheet border bg-sheet px-5 py-10 text-center"
    >
      <SealMark kind={sealKindOf(run.subject)} size="lg" stamped />
      <h2 id="sealed" ref={heading} tabIndex={-1} className="font-serif text-2xl font-semibold outline-none">
        {words.t("run.stages.sealed")}: {statement}
      </h2>
      <p className="max-w-[46ch] text-soft" role="status">
        {sentenceOf(words, run, sealed)}
      </p>
      {run.payment?.transaction ? (
        <p className="text-sm text-soft">
          {offer
            ? words.t("run.paid", { amount: offerAmount(words, { ...offer, amount: run.payment.amount }) })
            : words.t("run.stages.payment")}{" "}
          <Hash
            value={run.payment.transaction}
            label={words.t("run.transaction")}
            href={offer ? explorerLink(config, offer.chainId, "tx", run.payment.transaction) : null}
          />
        </p>
      ) : null}
      {config.srs === "development" ? (
        <p className="text-sm text-amber">{words.t("seal.development")}</p>
      ) : null}
      {elsewhere ? null : needsNickname ? (
        <div className="w-full max-w-sm text-start">
          <NicknameForm current={null} proposed={proposed} onSaved={() => goOn(firstPlace(sealed.next))} />
        </div>
      ) : (
        <Button tone="primary" onClick={() => goOn()}>
          {words.t("common.goOn")}
        </Button>
      )}
    </section>
  );
}
