"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Identicon } from "./identicon";

export interface HashProps {
  readonly value: string;
  /** Names the value for the copy button, such as "transaction". */
  readonly label: string;
  readonly href?: string | null;
  readonly picture?: boolean;
}

/** A shortened hash or address with a copy button. */
export function Hash({ value, label, href, picture }: HashProps) {
  const { t } = useWords();
  const [copied, setCopied] = useState(false);
  const short = value.length > 14 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value;
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), 1600);
  };
  const text = (
    <code className="font-mono text-[0.92em]" title={value}>
      {short}
    </code>
  );
  return (
    <span className="inline-flex items-center gap-1 align-middle">
      {picture ? <Identicon of={value.toLowerCase()} size="xs" /> : null}
      {href ? (
        <a href={href} className="link" rel="noreferrer" target="_blank">
          {text}
        </a>
      ) : (
        text
      )}
      <button
        type="button"
        onClick={copy}
        aria-label={copied ? t("common.copied") : t("common.copy", { what: label })}
        className="reach inline-flex size-6 items-center justify-center rounded-control text-soft hover:bg-wash hover:text-ink"
      >
        {copied ? (
          <Check className="size-3.5 text-moss" aria-hidden />
        ) : (
          <Copy className="size-3.5" aria-hidden />
        )}
      </button>
    </span>
  );
}
