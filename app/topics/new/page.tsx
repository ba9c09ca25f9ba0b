import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Page } from "@/components/shell/page";
import { NewTopicForm } from "@/components/topic/new-topic-form";
import * as en from "@/lib/i18n/en";
import { categories, config, viewer } from "../../_data/reads";

export const metadata: Metadata = { title: en.newTopic.title };

/** Starting a topic: what it is about, who gets in, what they prove. */
export default async function NewTopic() {
  const who = await viewer();
  if (!who) redirect("/sign-in?next=/topics/new");
  if (!who.nicknameSet) redirect("/profile?next=/topics/new");
  const [settings, list] = await Promise.all([config(), categories()]);
  return (
    <Page title={en.newTopic.title} back="/topics">
      <NewTopicForm config={settings} categories={list} />
    </Page>
  );
}
