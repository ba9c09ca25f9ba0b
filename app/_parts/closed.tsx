import { useWords } from "#words";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";

/** Shown where a secret topic exists and this member is not in it. */
export function Closed() {
  const { t } = useWords();
  return (
    <Page title={t("problems.secretTitle")} back="/topics" ownHeading>
      <EmptyState
        title={t("problems.secretTitle")}
        action={<ButtonLink href="/topics">{t("problems.explore")}</ButtonLink>}
      >
        {t("problems.secret")}
      </EmptyState>
    </Page>
  );
}
