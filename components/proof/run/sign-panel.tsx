"use client";

import { type ReactNode, useEffect } from "react";
import { useWords } from "#words";
import { petitionNotes } from "@/components/actions/petition-notes";
import { Button } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import { TimeAgo } from "@/components/ui/time-ago";
import { countryName } from "@/lib/i18n/countries";
import type { ActionLine } from "@/lib/proofs/attestation/action-lines";
import type { SigningRequest } from "@/lib/proofs/client/attested";
import { chainName, explorerLink, type PublicConfig } from "../config";
import { countryStatement } from "../gate-words";
import { isStale } from "./challenge";
import { requestOf, signsChallenge } from "./inputs";
import type { WalletRun, WalletSubject } from "./types";
import type { RunControl } from "./use-run";

/** How often the challenge on the screen is checked for expiry. */
const CHECK_MS = 5_000;
/** Indentation by depth. */
const INDENTS = ["", "ps-4", "ps-8", "ps-12", "ps-16"];

export interface FoundProps {
  readonly subject: WalletSubject;
  readonly config: PublicConfig;
}

/** Shows the attestation to the wallet's owner: by whom, when and what. Only this browser has read it. */
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

/** Shows and explains all that the wallet is about to sign, with the button that opens the wallet. */
export function SignPanel({ run, control }: SignPanelProps) {
  const words = useWords();
  const { renew } = control;
  useEffect(() => {
    const timer = setInterval(renew, CHECK_MS);
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

/** Shows the 32 bytes to sign and how they are derived. */
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

export interface ActionViewProps {
  readonly lines: readonly ActionLine[];
  /** Explain values that say little by themselves, such as hashes and times. */
  readonly notes?: readonly string[];
}

/** Shows every value of an EIP-712 action in the order of signing, unabridged. */
export function ActionView({ lines, notes = [] }: ActionViewProps) {
  const { t } = useWords();
  return (
    <div className="grid gap-3 rounded-sheet border bg-wash px-4 py-3 text-sm">
      <dl aria-label={t("attested.action")} className="grid gap-2">
        {lines.map((line) => (
          <div key={line.path} className={INDENTS[Math.min(line.depth, INDENTS.length - 1)]}>
            <dt className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium" title={line.path}>
                {line.label}
              </span>
              <code className="font-mono text-xs text-soft">{line.type}</code>
            </dt>
            <dd className="font-mono break-all whitespace-pre-wrap">{line.value}</dd>
          </div>
        ))}
      </dl>
      {notes.map((note) => (
        <p key={note} className="text-soft">
          {note}
        </p>
      ))}
    </div>
  );
}
