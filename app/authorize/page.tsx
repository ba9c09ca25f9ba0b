import { Page } from "@/components/shell/page";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../_data/head";
import { type SearchParams, single } from "../_data/search-params";

export const generateMetadata = pageHead((t) => t("apps.title"));

const sentences = {
  invalid_client: "authorize.problemApp",
  invalid_redirect_uri: "authorize.problemAddress",
} as const;

/** What keeps an app's request from being answered, where nobody may be sent back to the app. */
export default async function Problem({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const problem = single((await searchParams).problem);
  const known =
    problem === "invalid_client" || problem === "invalid_redirect_uri" ? sentences[problem] : null;
  return (
    <Page title={t("apps.title")}>
      <EmptyState title={t("authorize.problemTitle")}>{t(known ?? "authorize.problemOther")}</EmptyState>
    </Page>
  );
}
