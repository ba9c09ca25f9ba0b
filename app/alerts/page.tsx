import { NotificationList } from "@/components/notifications/list";
import { PushPart } from "@/components/push/push-part";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../_data/head";
import { notifications } from "../_data/me";
import { MyTopics } from "../_parts/asides";
import { withWords } from "../_parts/words";

export const generateMetadata = pageHead((t) => t("nav.alerts"));

async function Notifications() {
  const { t } = await getWords();
  const first = await notifications();
  return (
    <Page title={t("nav.alerts")} aside={<MyTopics />}>
      {first ? (
        <>
          <NotificationList first={first} />
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

export default withWords(["alerts", "push"], Notifications);
