import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { useWords } from "#words";
import { Page } from "@/components/shell/page";
import type { TopicView } from "@/components/topic/header";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import type { Words } from "@/lib/i18n/words";
import { topic as readTopic } from "../../../_data/reads";
import { type IdPageProps, isId } from "../../../_data/search-params";

/** Returns the topic of a page; null where it is secret and the visitor is not a member. */
export async function openTopic(params: IdPageProps["params"]): Promise<TopicView | null> {
  const { id } = await params;
  if (!isId(id)) notFound();
  const found = await readTopic(id);
  if (found.ok) return found.value;
  if (found.code === "topic_secret") return null;
  notFound();
}

/** Makes the `generateMetadata` of a part of a topic. Crawlers index only the topic's own page. */
export function partHead(
  title: (t: Words["t"], topic: string) => string,
): (props: IdPageProps) => Promise<Metadata> {
  return async ({ params }) => {
    const { t } = await getWords();
    const { id } = await params;
    const found = isId(id) ? await readTopic(id) : null;
    return { title: found?.ok ? title(t, found.value.topic.title) : t("problems.notFoundTitle") };
  };
}

/** The page of a secret topic for those who are not members. */
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
