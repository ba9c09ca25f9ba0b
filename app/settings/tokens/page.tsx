import { TokenList } from "@/components/settings/token-list";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../../_data/head";
import { automationTokens } from "../../_data/me";
import { myTopics } from "../../_data/reads";
import { withWords } from "../../_parts/words";

export const generateMetadata = pageHead((t) => t("tokens.title"));

/** What tokens for automation are, and the member's. */
async function Tokens() {
  const { t } = await getWords();
  const tokens = await automationTokens();
  if (!tokens) {
    return (
      <Page title={t("tokens.title")} back="/settings">
        <EmptyState
          title={t("tokens.guestTitle")}
          action={
            <ButtonLink href="/sign-in?next=/settings/tokens" tone="primary">
              {t("signIn.title")}
            </ButtonLink>
          }
        >
          {t("tokens.lead")}
        </EmptyState>
      </Page>
    );
  }
  const topics = (await myTopics(50)).map(({ id, title }) => ({ id, title }));
  return (
    <Page title={t("tokens.title")} back="/settings">
      <p className="max-w-[68ch] text-soft">{t("tokens.lead")}</p>
      <p className="max-w-[68ch] text-soft">{t("tokens.seen")}</p>
      <TokenList initial={tokens} topics={topics} />
    </Page>
  );
}

export default withWords(["proveAgain", "settings", "share", "showDomain", "tokens"], Tokens);
