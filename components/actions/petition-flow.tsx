"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { explorerLink, type PetitionContract, type PublicConfig } from "@/components/proof/config";
import type { Demand } from "@/components/proof/demand";
import { ProofFlow } from "@/components/proof/proof-flow";
import { TextAreaField } from "@/components/ui/field";
import { Hash } from "@/components/ui/hash";

const STATEMENT_MAX = 300;
const DEBOUNCE_MS = 500;

export interface PetitionFlowProps {
  readonly config: PublicConfig;
  readonly contract: PetitionContract;
  readonly demand: Extract<Demand, { kind: "wallet" }>;
}

/** A statement, the number of its signatures, and the proof that signs it. */
export function PetitionFlow({ config, contract, demand }: PetitionFlowProps) {
  const { t } = useWords();
  const [text, setText] = useState<string>(t("petition.standard"));
  const statement = text.trim();
  return (
    <ProofFlow
      config={config}
      demand={demand}
      page="/actions/example"
      next="/actions/example"
      purpose={{ kind: "petition", statement, contract }}
      beside
      ready={statement !== ""}
      intro={
        <div className="grid gap-4">
          <TextAreaField
            label={t("petition.statement")}
            hint={t("petition.statementHint")}
            error={statement === "" ? t("petition.empty") : null}
            dir="auto"
            maxLength={STATEMENT_MAX}
            value={text}
            onValue={setText}
          />
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
            {t("petition.contract")}{" "}
            <Hash
              value={contract.address}
              label={t("petition.contract")}
              href={explorerLink(config, contract.chainId, "address", contract.address)}
              picture
            />
            <Count config={config} contract={contract} statement={statement} />
          </p>
        </div>
      }
    />
  );
}

interface CountProps extends Pick<PetitionFlowProps, "config" | "contract"> {
  readonly statement: string;
}

/** The number of signatures; nothing while it is unknown. */
function Count({ config, contract, statement }: CountProps) {
  const { t } = useWords();
  const [count, setCount] = useState<bigint | null>(null);
  useEffect(() => {
    let gone = false;
    setCount(null);
    const readCount = async () => {
      const { petitionCount } = await import("./petition");
      // The page works without the count.
      const found = await petitionCount(contract, statement, config).catch(() => null);
      if (!gone) setCount(found);
    };
    const timer = setTimeout(readCount, DEBOUNCE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [config, contract, statement]);
  if (count === null) return null;
  return <span role="status">{t("petition.count", { n: Number(count) })}</span>;
}
