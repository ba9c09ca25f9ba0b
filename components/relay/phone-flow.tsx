"use client";

import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import type { PublicConfig } from "@/components/proof/config";
import type { Demand } from "@/components/proof/demand";
import { ProofFlow } from "@/components/proof/proof-flow";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";

export interface PhoneFlowProps {
  readonly config: PublicConfig;
  readonly demand: Demand;
  readonly requestId: string;
  readonly code: string;
  /** Whether the proof signs the other device in, or is only handed to it. */
  readonly signsIn: boolean;
}

/**
 * Makes a proof for another device, after the user typed the code on that device's screen. A code that is only shown and
 * confirmed would not do: a person lured to this page would press the button.
 */
export function PhoneFlow({ config, demand, requestId, code, signsIn }: PhoneFlowProps) {
  const { t } = useWords();
  const [typed, setTyped] = useState("");
  const [same, setSame] = useState(false);
  const [wrong, setWrong] = useState(false);
  const compare = (event: FormEvent) => {
    event.preventDefault();
    const right = typed.replace(/\D/g, "") === code;
    setSame(right);
    setWrong(!right);
  };
  return (
    <ProofFlow
      config={config}
      purpose={{ kind: "relay", requestId }}
      demand={demand}
      page={`/phone/${requestId}`}
      next="/"
      otherwise={
        same ? undefined : (
          <section aria-labelledby="compare" className="grid gap-4 rounded-sheet border bg-sheet p-4 sm:p-5">
            <h2 id="compare" className="font-serif text-xl font-semibold">
              {t("relay.compare")}
            </h2>
            <p className="max-w-[60ch]">{signsIn ? t("relay.compareText") : t("relay.compareProof")}</p>
            <form onSubmit={compare} className="grid gap-3">
              <Field label={t("relay.code")} error={wrong ? t("relay.wrongCode") : null}>
                {(control) => (
                  <Input
                    {...control}
                    value={typed}
                    inputMode="numeric"
                    autoComplete="off"
                    maxLength={12}
                    onChange={(event) => setTyped(event.target.value)}
                  />
                )}
              </Field>
              <div>
                <Button type="submit" tone="primary">
                  {t("common.goOn")}
                </Button>
              </div>
            </form>
          </section>
        )
      }
    />
  );
}
