"use client";

import { useState } from "react";
import { useWords } from "#words";
import type { PublicConfig } from "@/components/proof/config";
import type { Demand } from "@/components/proof/demand";
import { ProofFlow } from "@/components/proof/proof-flow";
import { Button } from "@/components/ui/button";
import { Code } from "./code";

export interface PhoneFlowProps {
  readonly config: PublicConfig;
  readonly demand: Demand;
  readonly requestId: string;
  readonly code: string;
  /** Whether the other device is signed in by this, or only handed a proof. */
  readonly signsIn: boolean;
}

/** First the codes are compared, by a person; only then can anything be proven for the other device. */
export function PhoneFlow({ config, demand, requestId, code, signsIn }: PhoneFlowProps) {
  const { t } = useWords();
  const [same, setSame] = useState(false);
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
            <Code code={code} />
            <p className="max-w-[60ch]">{signsIn ? t("relay.compareText") : t("relay.compareProof")}</p>
            <div>
              <Button tone="primary" onClick={() => setSame(true)}>
                {t("relay.same")}
              </Button>
            </div>
          </section>
        )
      }
    />
  );
}
