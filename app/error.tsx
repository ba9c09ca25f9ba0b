"use client";

import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";

interface Props {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

/** Replaces a page that failed to render. Every first load includes its script, so it is small. */
export default function PageError({ error, reset }: Props) {
  const { t } = useWords();
  return (
    <main
      id="content"
      tabIndex={-1}
      className="mx-auto grid w-full max-w-[680px] content-start gap-5 px-4 pt-10 pb-10 outline-none"
    >
      <h1 className="font-serif text-2xl font-semibold md:text-3xl">{t("problems.errorTitle")}</h1>
      <ErrorNote action={<Button onClick={reset}>{t("common.retry")}</Button>}>
        {t("problems.error")}
        {error.digest ? (
          <span className="mt-1 block text-soft">{t("problems.reference", { id: error.digest })}</span>
        ) : null}
      </ErrorNote>
    </main>
  );
}
