import type { Metadata } from "next";
import Link from "next/link";
import { useWords } from "#words";
import { ApiIndex, ErrorCodes, Operation } from "@/components/docs/operation";
import { Page } from "@/components/shell/page";
import { operations } from "@/lib/contract";
import { en } from "@/lib/i18n/en";
import { getWords } from "@/lib/i18n/server";
import type { Messages } from "@/lib/i18n/words";
import { fixedHead } from "../_data/head";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return fixedHead({ path: "/docs", title: t("footer.docs"), description: t("docs.intro") });
}

function isTag(tag: string): tag is keyof Messages["docs"]["tags"] {
  return tag in en.docs.tags;
}

/** The API documentation, from the declarations that validate every request. */
export default function Docs() {
  const { t } = useWords();
  const tags = [...new Set(operations.map((operation) => operation.tag))];
  return (
    <Page title={t("footer.docs")} back="/" aside={<ApiIndex operations={operations} />}>
      <p className="max-w-[68ch] text-lg text-soft">{t("docs.intro")}</p>
      <p>
        <a className="link" href="/api/docs/openapi.json">
          {t("docs.json")}
        </a>
        {" · "}
        <Link className="link" href="/actions/example">
          {t("petition.title")}
        </Link>
        {" · "}
        <Link className="link" href="/log" prefetch={false}>
          {t("siteLog.title")}
        </Link>
      </p>
      {tags.map((tag) => (
        <section key={tag} aria-labelledby={`tag-${tag}`} className="grid gap-4 pt-4">
          <h2 id={`tag-${tag}`} className="font-serif text-2xl font-semibold">
            {isTag(tag) ? t(`docs.tags.${tag}`) : tag}
          </h2>
          {operations
            .filter((operation) => operation.tag === tag)
            .map((operation) => (
              <Operation key={operation.id} operation={operation} />
            ))}
        </section>
      ))}
      <ErrorCodes />
    </Page>
  );
}
