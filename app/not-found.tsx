import { useWords } from "#words";
import { SealMark } from "@/components/proof/seal-mark";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { pageHead } from "./_data/head";

export const generateMetadata = pageHead((t) => t("problems.notFoundTitle"));

/** For what does not exist or the visitor may not know about. Every first load would include its script: it has none. */
export default function NotFound() {
  const { t } = useWords();
  return (
    <main id="content" tabIndex={-1} className="mx-auto w-full max-w-[680px] px-4 pt-10 pb-10 outline-none">
      <h1 className="sr-only">{t("problems.notFoundTitle")}</h1>
      <EmptyState
        picture={<SealMark kind="country" size="md" empty />}
        title={t("problems.notFoundTitle")}
        action={
          <>
            <ButtonLink href="/">{t("common.goHome")}</ButtonLink>
            <ButtonLink href="/topics">{t("problems.explore")}</ButtonLink>
          </>
        }
      >
        {t("problems.notFound")}
      </EmptyState>
    </main>
  );
}
