import Link from "next/link";
import { redirect } from "next/navigation";
import { gateSentence } from "@/components/proof/gate-words";
import { Page } from "@/components/shell/page";
import { Panel } from "@/components/shell/panel";
import { opennessHint } from "@/components/topic/audience";
import { DeleteTopic, EditTopicForm } from "@/components/topic/edit-topic";
import type { TopicView } from "@/components/topic/header";
import { opennessOf } from "@/components/topic/openness";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { categoryName } from "@/lib/i18n/categories";
import { getWords } from "@/lib/i18n/server";
import { viewer } from "../../../_data/reads";
import { type IdPageProps, withQuery } from "../../../_data/search-params";
import { withWords } from "../../../_parts/words";
import { Closed, openTopic, partHead } from "../_parts/open";

export const generateMetadata = partHead((t, topic) => `${t("editTopic.title")} · ${topic}`);

/** Where the owner edits or deletes a topic. A global admin can only delete it. */
async function EditTopicPage({ params }: IdPageProps) {
  const { t } = await getWords();
  const view = await openTopic(params);
  if (!view) return <Closed />;
  const { topic } = view;
  if (!(await viewer())) redirect(withQuery("/sign-in", { next: `/topics/${topic.id}/edit` }));
  return (
    <Page title={t("editTopic.title")} back={`/topics/${topic.id}`}>
      {topic.abilities.includes("edit") ? (
        <>
          <EditTopicForm topic={topic} reviewWords={view.reviewWords ?? []} />
          <Fixed view={view} />
          <Panel title={t("topic.owner")}>
            <p className="text-sm text-soft">
              {t("editTopic.ownerText")}{" "}
              <Link href={`/topics/${topic.id}/members`} prefetch={false} className="link">
                {t("editTopic.toMembers")}
              </Link>
            </p>
          </Panel>
        </>
      ) : (
        <EmptyState
          title={t("editTopic.onlyOwnerTitle")}
          action={<ButtonLink href={`/topics/${topic.id}`}>{t("topic.open")}</ButtonLink>}
        >
          {t("editTopic.onlyOwner")}
        </EmptyState>
      )}
      {topic.abilities.includes("delete") ? <DeleteTopic topic={topic} /> : null}
    </Page>
  );
}

export default withWords(["editTopic", "newTopic", "rules", "staff"], EditTopicPage);

async function Fixed({ view: { topic } }: { readonly view: TopicView }) {
  const words = await getWords();
  const { t } = words;
  return (
    <Panel title={t("editTopic.fixedTitle")}>
      <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[auto_1fr]">
        <dt className="text-soft">{t("topic.category")}</dt>
        <dd>
          {topic.category
            ? `${topic.category.icon ?? ""} ${categoryName(words, topic.category)}`.trim()
            : "–"}
        </dd>
        <dt className="text-soft">{t("topic.visibility")}</dt>
        <dd>
          {t(`topic.visibilities.${opennessOf(topic)}`)}
          <span className="block text-soft">
            {opennessHint(words, opennessOf(topic), topic.proofType !== "none")}
          </span>
        </dd>
        <dt className="text-soft">{t("topic.gateTitle")}</dt>
        <dd>{gateSentence(words, topic)}</dd>
      </dl>
      <p className="text-sm text-soft">{t("editTopic.fixed")}</p>
    </Panel>
  );
}
