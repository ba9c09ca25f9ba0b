import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Page } from "@/components/shell/page";
import { NewTopicForm } from "@/components/topic/new-topic-form";
import { getWords } from "@/lib/i18n/server";
import { categories, config, viewer } from "../../_data/reads";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("newTopic.title") };
}

/** Starting a topic: what it is about, who gets in, what they prove. */
export default async function NewTopic() {
  const { t } = await getWords();
  const who = await viewer();
  if (!who) redirect("/sign-in?next=/topics/new");
  if (!who.nicknameSet) redirect("/profile?next=/topics/new");
  const [settings, list] = await Promise.all([config(), categories()]);
  return (
    <Page title={t("newTopic.title")} back="/topics">
      <NewTopicForm config={settings} categories={list} />
    </Page>
  );
}
