"use client";

import { useState } from "react";
import { useWords } from "#words";
import { Dialog } from "@/components/ui/dialog";
import { Hash } from "@/components/ui/hash";
import { Note } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { type SealKind, SealMark } from "./seal-mark";

export interface SealFacts {
  readonly kind: SealKind;
  /** What it proves: "@acme.com". */
  readonly statement: string;
  readonly voucher?: string;
  /** Unix milliseconds. */
  readonly checkedAt?: number;
  /** Unix milliseconds. */
  readonly until?: number;
  readonly sees: readonly string[];
  readonly hides: readonly string[];
  readonly circuit: string;
  readonly technical: string;
  readonly verifier?: { readonly chain: string; readonly address: string; readonly href: string | null };
  /** Whether proofs use a development SRS. */
  readonly forgeable: boolean;
}

export interface SealProps {
  readonly facts: SealFacts;
  /** Draws only the outline: the user has not proven this yet. */
  readonly empty?: boolean;
}

/** A seal with its text; a click shows what others see, what stays hidden and how it was verified. */
export function Seal({ facts, empty }: SealProps) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        aria-label={t("seal.open", { statement: facts.statement })}
        className="ease reach relative z-10 inline-flex items-center gap-3 rounded-full text-start hover:opacity-85"
      >
        <SealMark kind={facts.kind} size="md" empty={empty} />
        <span className="grid">
          <span className="font-medium">{facts.statement}</span>
          {facts.voucher ? (
            <span className="text-sm text-soft">{t("seal.vouchedBy", { voucher: facts.voucher })}</span>
          ) : null}
        </span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={facts.statement}>
        <SealDetails facts={facts} empty={empty} />
      </Dialog>
    </>
  );
}

function List({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  return (
    <section>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      <ul className="grid list-disc gap-0.5 ps-5 text-soft">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  );
}

function SealDetails({ facts, empty }: { readonly facts: SealFacts; readonly empty?: boolean }) {
  const { t } = useWords();
  return (
    <div className="grid gap-4">
      <div className="flex items-center gap-4">
        <SealMark kind={facts.kind} size="md" empty={empty} />
        <div className="text-sm text-soft">
          {facts.voucher ? <p>{t("seal.vouchedBy", { voucher: facts.voucher })}</p> : null}
          {facts.checkedAt ? (
            <p>
              {t("seal.when")} <TimeAgo at={facts.checkedAt} />
              {facts.until ? (
                <>
                  , {t("seal.until")} <TimeAgo at={facts.until} />
                </>
              ) : null}
            </p>
          ) : null}
        </div>
      </div>
      {facts.forgeable ? <Note tone="warning">{t("seal.developmentLong")}</Note> : null}
      <List title={t("seal.whatOthersSee")} items={facts.sees} />
      <List title={t("seal.whatStaysHidden")} items={facts.hides} />
      {facts.verifier ? (
        <section className="grid gap-1">
          <h3 className="text-sm font-semibold">{t("seal.howChecked")}</h3>
          <p className="text-soft">{t("seal.checkedBy", { chain: facts.verifier.chain })}</p>
          <p className="text-sm text-soft">
            {t("seal.verifier")}{" "}
            <Hash
              value={facts.verifier.address}
              label={t("seal.verifier")}
              href={facts.verifier.href}
              picture
            />
          </p>
        </section>
      ) : null}
      <details className="text-sm text-soft">
        <summary className="tap font-medium text-ink">{t("seal.details")}</summary>
        <p className="mt-2">{facts.technical}</p>
        <p className="mt-2">
          {t("seal.circuit")} <code className="font-mono">{facts.circuit}</code>
        </p>
      </details>
    </div>
  );
}
