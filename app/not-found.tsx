import type { Metadata } from "next";
import { useWords } from "#words";
import { SealMark } from "@/components/proof/seal-mark";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("problems.notFoundTitle") };
}

/** For addresses that lead nowhere, or to what the visitor may not know of. */
export default function NotFound() {
  const { t } = useWords();
  return (
    <Page title={t("problems.notFoundTitle")} back="/" ownHeading>
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
    </Page>
  );
}
