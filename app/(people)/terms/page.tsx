import Link from "next/link";
import { Page } from "@/components/shell/page";
import { Note } from "@/components/ui/notes";
import { sanitizePostHtml } from "@/lib/html";
import { getWords } from "@/lib/i18n/server";
import type { Words } from "@/lib/i18n/words";
import { getServices } from "@/lib/runtime/services";
import { Contents, Lead, Part, Points, Text } from "../../_parts/people/article";
import { Operator } from "../../_parts/people/operator";
import { articleHead } from "../../_parts/people/pages";

export const generateMetadata = articleHead("/terms", "terms.title", "terms.description");

/** The operator's terms, or the template that comes with Parley. */
export default async function Terms() {
  const [words, { config }] = await Promise.all([getWords(), getServices()]);
  const { t, locale } = words;
  const own = config.terms?.[locale] ?? config.terms?.en;
  return own === undefined ? (
    <Template words={words} />
  ) : (
    <Page title={t("terms.title")} back="/">
      {/* The operator wrote it; sanitized so that it looks and behaves like a post. */}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized here */}
      <div className="prose-post" dangerouslySetInnerHTML={{ __html: sanitizePostHtml(own).html }} />
    </Page>
  );
}

function Template({ words: { t } }: { readonly words: Words }) {
  const parts = [
    { id: "use", title: t("terms.use") },
    { id: "content", title: t("terms.content") },
    { id: "forbidden", title: t("terms.forbidden") },
    { id: "moderation", title: t("terms.moderation") },
    { id: "payment", title: t("terms.payment") },
    { id: "ending", title: t("terms.ending") },
    { id: "liability", title: t("terms.liability") },
    { id: "changes", title: t("terms.changes") },
    { id: "operator", title: t("people.operator") },
  ] as const;
  const [use, content, forbidden, moderation, payment, ending, liability, changes, operator] = parts;
  return (
    <Page title={t("terms.title")} back="/" aside={<Contents parts={parts} />}>
      <Lead>{t("terms.lead")}</Lead>
      <Note>{t("terms.template")}</Note>
      <Part {...use}>
        <Text>{t("terms.useText")}</Text>
      </Part>
      <Part {...content}>
        <Text>{t("terms.contentText")}</Text>
      </Part>
      <Part {...forbidden}>
        <Points
          items={[
            t("terms.forbiddenItems.law"),
            t("terms.forbiddenItems.people"),
            t("terms.forbiddenItems.children"),
            t("terms.forbiddenItems.spam"),
            t("terms.forbiddenItems.attack"),
          ]}
        />
      </Part>
      <Part {...moderation}>
        <Text>{t("terms.moderationText")}</Text>
      </Part>
      <Part {...payment}>
        <Text>{t("terms.paymentText")}</Text>
      </Part>
      <Part {...ending}>
        <Text>
          {t("terms.endingText")}{" "}
          <Link href="/privacy#leaving" className="link">
            {t("terms.toPrivacy")}
          </Link>
        </Text>
      </Part>
      <Part {...liability}>
        <Text>{t("terms.liabilityText")}</Text>
      </Part>
      <Part {...changes}>
        <Text>{t("terms.changesText")}</Text>
      </Part>
      <Part {...operator}>
        <Operator />
      </Part>
    </Page>
  );
}
