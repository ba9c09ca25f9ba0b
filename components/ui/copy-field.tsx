"use client";

import { useState } from "react";
import { useWords } from "#words";
import { Button } from "./button";
import { Input } from "./field";
import { toast } from "./toast";

export interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** Label of the button; by default it copies a link. */
  readonly button?: string;
}

/** A text to copy, and the button that does it. They belong into a row. */
export function CopyField({ label, value, button }: CopyFieldProps) {
  const { t } = useWords();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      setTimeout(() => setCopied(false), 1600);
    } catch {
      toast({ text: t("share.text"), tone: "wrong" });
    }
  };
  return (
    <>
      <Input
        readOnly
        value={value}
        aria-label={label}
        className="min-w-0 basis-full font-mono text-sm sm:basis-auto"
        onFocus={(event) => event.target.select()}
      />
      <Button onClick={() => void copy()} className="flex-1 sm:flex-none">
        <span aria-live="polite">{copied ? t("common.copied") : (button ?? t("common.copyLink"))}</span>
      </Button>
    </>
  );
}
