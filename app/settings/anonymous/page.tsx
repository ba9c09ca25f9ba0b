import { SecretPart } from "@/components/anonymous/secret-part";
import { Page } from "@/components/shell/page";
import { Section } from "@/components/shell/panel";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../../_data/head";
import { viewer } from "../../_data/reads";
import { withWords } from "../../_parts/words";

export const generateMetadata = pageHead((t) => t("anonymous.page.title"));

const SENTENCES = ["one", "two", "three", "four", "five"] as const;

/** What writing without a name is, in five sentences, and a member's secret for it. */
async function Anonymous() {
  const { t } = await getWords();
  const who = await viewer();
  return (
    <Page title={t("anonymous.page.title")} back="/settings">
      <p className="text-soft">{t("anonymous.page.lead")}</p>
      <ol className="grid max-w-[68ch] list-decimal gap-3 ps-5">
        {SENTENCES.map((name) => (
          <li key={name}>{t(`anonymous.page.${name}`)}</li>
        ))}
      </ol>
      {who ? (
        <Section id="secret" title={t("anonymous.page.secret")}>
          <SecretPart />
        </Section>
      ) : null}
    </Page>
  );
}

export default withWords(["anonymous"], Anonymous);
