import type { ReactNode } from "react";
import { useWords } from "#words";

/** Folds what most people leave as it is: who makes the proof, and how it is paid for. */
export function ChangeHow({ children }: { readonly children: ReactNode }) {
  const { t } = useWords();
  return (
    <details className="border-t pt-3">
      <summary className="tap w-fit text-sm font-medium">{t("prover.changeHow")}</summary>
      <div className="grid gap-6 pt-3">{children}</div>
    </details>
  );
}
