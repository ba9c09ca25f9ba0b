import { AppList } from "@/components/apps/app-list";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { ownApps } from "../../_data/apps";
import { pageHead } from "../../_data/head";
import { withWords } from "../../_parts/words";

export const generateMetadata = pageHead((t) => t("apps.title"));

/** The member's apps, which people sign in to with Parley. */
async function Apps() {
  const { t } = await getWords();
  const apps = await ownApps();
  if (!apps) {
    return (
      <Page title={t("apps.title")} back="/settings">
        <EmptyState
          title={t("apps.guestTitle")}
          action={
            <ButtonLink href="/sign-in?next=/settings/apps" tone="primary">
              {t("signIn.title")}
            </ButtonLink>
          }
        >
          {t("apps.lead")}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={t("apps.title")} back="/settings">
      <p className="max-w-[68ch] text-soft">{t("apps.lead")}</p>
      <p className="max-w-[68ch] text-soft">{t("apps.docs")}</p>
      <AppList initial={apps} />
    </Page>
  );
}

export default withWords(["apps", "share"], Apps);
