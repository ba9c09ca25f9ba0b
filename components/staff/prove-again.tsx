"use client";

import { useWords } from "#words";
import { ButtonLink } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";

/** Code of the refusal that this answers. */
export const proveAgainCode = "fresh_proof_required";

/** What the server wants before it does what cannot be undone: the way to a new proof, and back. @param next where to come back to */
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
