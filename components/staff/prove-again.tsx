"use client";

import { useWords } from "#words";
import { ButtonLink } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";

/** Error code that requires a fresh proof. */
export const PROVE_AGAIN_CODE = "fresh_proof_required";

/** Asks for a fresh proof, which irreversible actions require. @param next where to return to */
export function ProveAgain({ next }: { readonly next: string }) {
  const { t } = useWords();
  return (
    <ErrorNote
      title={t("proveAgain.title")}
      action={
        <ButtonLink href={`/sign-in?${new URLSearchParams({ again: "1", next })}`} size="sm">
          {t("proveAgain.button")}
        </ButtonLink>
      }
    >
      {t("proveAgain.text")}
    </ErrorNote>
  );
}
