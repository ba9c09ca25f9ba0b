import type { Metadata } from "next";
import { useWords } from "#words";
import { SealMark } from "@/components/proof/seal-mark";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("problems.notFoundTitle") };
}

/** For addresses that lead nowhere, or to what the visitor may not know of. Its script is part of every first load, so it has none. */
export default function NotFound() {
  const { t } = useWords();
  return (
    <main id="content" tabIndex={-1} className="mx-auto w-full max-w-[680px] px-4 pt-10 pb-28 outline-none">
      <h1 className="sr-only">{t("problems.notFoundTitle")}</h1>
      <EmptyState
        picture={<SealMark kind="country" size="md" empty />}
        title={t("problems.notFoundTitle")}
        action={
          <>
            <ButtonLink href="/">{t("problems.goHome")}</ButtonLink>
            <ButtonLink href="/topics">{t("problems.explore")}</ButtonLink>
          </>
        }
      >
        {t("problems.notFound")}
      </EmptyState>
    </main>
  );
}
