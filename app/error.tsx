"use client";

import { useWords } from "#words";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";

interface Props {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

/** A page that failed to render; the frame around it stands. */
export default function PageError({ error, reset }: Props) {
  const { t } = useWords();
  return (
    <Page title={t("problems.errorTitle")} back="/">
      <ErrorNote
        title={t("problems.errorTitle")}
        action={<Button onClick={reset}>{t("common.retry")}</Button>}
      >
        {t("problems.error")}
        {error.digest ? (
          <span className="mt-1 block text-soft">{t("problems.reference", { id: error.digest })}</span>
        ) : null}
      </ErrorNote>
    </Page>
  );
}
