import type { ReactNode } from "react";
import { useWords } from "#words";
import type { ProverChoice } from "./prover-choice";

export interface CostProps {
  readonly choice: ProverChoice;
  /** Price and what pays it, where it is the installation's prover. */
  readonly children: ReactNode;
}

/** What a proof costs, by who makes it. */
export function Cost({ choice, children }: CostProps) {
  const { t } = useWords();
  return (
    <section aria-labelledby="cost" className="grid gap-3 border-t pt-5">
      <h2 id="cost" className="text-sm font-semibold">
        {t("signIn.price")}
      </h2>
      {choice.kind === "server" ? children : null}
      {choice.kind === "own" ? <p className="text-sm text-soft">{t("prover.ownPrice")}</p> : null}
      {choice.kind === "browser" ? (
        <>
          <p>
            <strong className="font-serif text-2xl font-semibold">{t("prover.free")}</strong>
          </p>
          <p className="text-sm text-soft">{t("prover.freeNote")}</p>
        </>
      ) : null}
    </section>
  );
}
