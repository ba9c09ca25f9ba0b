"use client";

import { type ReactNode, useEffect } from "react";
import { useWords } from "#words";
import { petitionNotes } from "@/components/actions/petition-notes";
import { Button } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import { TimeAgo } from "@/components/ui/time-ago";
import { countryName } from "@/lib/i18n/countries";
import type { SigningRequest } from "@/lib/proofs/client/attested";
import { chainName, explorerLink, type PublicConfig } from "../config";
import { countryStatement } from "../gate-words";
import { ActionView } from "./action-view";
import { isStale } from "./challenge";
import { requestOf, signsChallenge } from "./inputs";
import type { WalletRun, WalletSubject } from "./types";
import type { RunControl } from "./use-run";

/** How often the one-time code on the screen is looked at. */
const LOOK_MS = 5_000;

export interface FoundProps {
  readonly subject: WalletSubject;
  readonly config: PublicConfig;
}

/** Who vouched for the wallet, when, and what they wrote; read in this browser and shown to its owner only. */
export function Found({ subject, config }: FoundProps) {
  const words = useWords();
  const { holder, attestation, list } = subject;
  const attester = config.attesters.find((one) => one.circuit === subject.circuit);
  if (!holder || !attestation || !attester) return null;
  const link = (what: "tx" | "address", value: string) => explorerLink(config, attester.chainId, what, value);
  return (
    <div className="mt-1 grid gap-2 rounded-sheet border bg-wash px-4 py-3 text-sm">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-soft">{words.t("attested.wallet")}</dt>
        <dd>
          <Hash value={holder} label={words.t("attested.wallet")} href={link("address", holder)} picture />
        </dd>
        <dt className="text-soft">{words.t("attested.voucher")}</dt>
        <dd>
          {words.t("attested.attester", { chain: chainName(config, attester.chainId) })}{" "}
          <Hash
            value={attester.contract}
            label={words.t("attested.attesterContract")}
            href={link("address", attester.contract)}
          />
        </dd>
        <dt className="text-soft">{words.t("attested.when")}</dt>
        <dd>
          <TimeAgo at={attestation.time * 1000} />
        </dd>
        <dt className="text-soft">{words.t("attested.record")}</dt>
        <dd>
          <Hash
            value={attestation.transactionHash}
            label={words.t("attested.recordLabel")}
            href={link("tx", attestation.transactionHash)}
          />
        </dd>
        {attestation.country ? (
          <>
            <dt className="text-soft">{words.t("attested.country")}</dt>
            <dd className="font-medium">{countryName(words, attestation.country)}</dd>
          </>
        ) : null}
      </dl>
      <p className="text-soft">
        {words.t("attested.onlyHere")}{" "}
        {list ? words.t("attested.provesList", { statement: countryStatement(words, list) }) : null}
      </p>
    </div>
  );
}

export interface SignPanelProps {
  readonly run: WalletRun;
  readonly control: RunControl;
}

/** What the wallet is about to sign, in full and explained, and the button that asks it to. */
export function SignPanel({ run, control }: SignPanelProps) {
  const words = useWords();
  const { renew } = control;
  useEffect(() => {
    const timer = setInterval(renew, LOOK_MS);
    return () => clearInterval(timer);
  }, [renew]);
  const request = requestOf(run);
  if (!request) return null;
  return (
    <div className="grid justify-items-start gap-4 pt-2 *:w-full">
      {request.kind === "message" ? (
        <MessageView run={run} request={request} />
      ) : (
        <>
          <p>{words.t("attested.signAction")}</p>
          <ActionView
            lines={request.lines}
            notes={
              run.purpose.kind === "petition"
                ? petitionNotes(words, run.purpose.statement, request.action)
                : undefined
            }
          />
        </>
      )}
      <div>
        <Button tone="primary" wrap onClick={() => control.go()}>
          {words.t("attested.signWith")}
        </Button>
      </div>
    </div>
  );
}

interface MessageViewProps {
  readonly run: WalletRun;
  readonly request: Extract<SigningRequest, { kind: "message" }>;
}

/** The 32 bytes of a statement and what they are made of. */
function MessageView({ run, request }: MessageViewProps) {
  const { t } = useWords();
  const { subject, challenge } = run;
  const bound = signsChallenge(subject);
  return (
    <div className="grid gap-3">
      <p>
        {t("attested.signMessage")} {t("attested.walletShows")}
      </p>
      <div className="grid gap-2 rounded-sheet border bg-wash px-4 py-3 text-sm">
        <p className="font-medium">{t("attested.message")}</p>
        <code className="font-mono text-xs break-all" data-testid="message">
          {request.signalHash}
        </code>
        <p className="mt-1 font-medium">{t("attested.formula")}</p>
        <code className="font-mono text-sm">
          {bound ? t("attested.formulaCode") : t("attested.formulaAddress")}
        </code>
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
          {bound ? null : (
            <Part name="address" what={t("attested.address")}>
              {subject.holder}
            </Part>
          )}
          <Part name="circuit" what={t("attested.circuit")}>
            {subject.circuit}
          </Part>
          <Part name="scope" what={t("attested.scope")}>
            {subject.scope}
          </Part>
          {bound ? (
            <Part name="code" what={t("attested.nonce")}>
              {isStale(challenge, 0) ? "…" : challenge?.nonce}
            </Part>
          ) : null}
        </dl>
      </div>
      <p className="text-sm text-soft">{bound ? t("attested.onlyOnce") : t("attested.sameAlways")}</p>
    </div>
  );
}

interface PartProps {
  readonly name: string;
  readonly what: string;
  readonly children: ReactNode;
}

function Part({ name, what, children }: PartProps) {
  return (
    <>
      <dt className="text-soft">
        <code className="font-mono">{name}</code>, {what}
      </dt>
      <dd className="font-mono break-all">{children}</dd>
    </>
  );
}
