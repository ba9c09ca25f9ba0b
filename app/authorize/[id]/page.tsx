import { Consent } from "@/components/apps/consent";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { type AppToAnswer, appToAnswer } from "../../_data/apps";
import { pageHead } from "../../_data/head";
import { withWords } from "../../_parts/words";

export const generateMetadata = pageHead((t) => t("apps.title"));

interface Props {
  readonly params: Promise<{ readonly id: string }>;
}

/** Where a person decides whether to sign in to an app, and what it learns. */
async function Authorize({ params }: Props) {
  const { id } = await params;
  return <Answer asked={await appToAnswer(id)} />;
}

async function Answer({ asked }: { readonly asked: AppToAnswer }) {
  const { t } = await getWords();
  if (asked === null) {
    return (
      <Page title={t("apps.title")}>
        <EmptyState title={t("authorize.closedTitle")}>{t("authorize.closed")}</EmptyState>
      </Page>
    );
  }
  const { name, host } = asked.app;
  const title = t("authorize.title", { name });
  if ("signIn" in asked) {
    return (
      <Page title={title}>
        <EmptyState
          title={t("signIn.title")}
          action={
            <ButtonLink href={asked.signIn} tone="primary">
              {t("signIn.title")}
            </ButtonLink>
          }
        >
          {t("authorize.guest", { name })}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={title}>
      <p className="max-w-[60ch] text-lg wrap-anywhere text-soft">{t("authorize.lead", { name, host })}</p>
      <Consent request={asked} />
    </Page>
  );
}

export default withWords(["authorize"], Authorize);
