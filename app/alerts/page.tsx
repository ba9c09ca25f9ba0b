import type { Metadata } from "next";
import { AlertList } from "@/components/alerts/alert-list";
import { PushPart } from "@/components/push/push-part";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { alerts } from "../_data/alerts";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("alerts.title") };
}

/** What happened to things of mine. */
export default async function Alerts() {
  const { t } = await getWords();
  const first = await alerts();
  return (
    <Page title={t("alerts.title")}>
      {first ? (
        <>
          <AlertList first={first} />
          <PushPart />
        </>
      ) : (
        <EmptyState
          title={t("alerts.guestTitle")}
          action={
            <ButtonLink href="/sign-in?next=/alerts" tone="primary">
              {t("signIn.title")}
            </ButtonLink>
          }
        >
          {t("alerts.guest")}
        </EmptyState>
      )}
    </Page>
  );
}
