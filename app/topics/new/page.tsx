import { NewAccountNote } from "@/components/compose/new-account-note";
import { Page } from "@/components/shell/page";
import { NewTopicForm } from "@/components/topic/new-topic-form";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../../_data/head";
import { categories, config, namedViewer, newAccountLimits } from "../../_data/reads";
import { proofGroups, withWords } from "../../_parts/words";

export const generateMetadata = pageHead((t) => t("topics.startTopic"));

/** Where a member creates a topic. */
async function NewTopic() {
  const { t } = await getWords();
  await namedViewer("/topics/new");
  const [settings, list, limits] = await Promise.all([config(), categories(), newAccountLimits()]);
  return (
    <Page title={t("topics.startTopic")} back="/topics">
      <NewAccountNote limits={limits} forTopic />
      <NewTopicForm config={settings} categories={list} />
    </Page>
  );
}

export default withWords(
  ["audience", "editTopic", "newAccount", "newTopic", "picker", "similar", "topic", ...proofGroups],
  NewTopic,
);
