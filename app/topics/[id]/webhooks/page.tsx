import { redirect } from "next/navigation";
import { Page } from "@/components/shell/page";
import { WebhookList } from "@/components/staff/webhook-list";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { viewer } from "../../../_data/reads";
import { type IdPageProps, withQuery } from "../../../_data/search-params";
import { webhooks } from "../../../_data/staff";
import { withWords } from "../../../_parts/words";
import { Closed, openTopic, partHead } from "../_parts/open";

export const generateMetadata = partHead((t, topic) => `${t("webhooks.title")} · ${topic}`);

/** Where staff have what happens in a topic sent. */
async function WebhooksPage({ params }: IdPageProps) {
  const { t } = await getWords();
  const view = await openTopic(params);
  if (!view) return <Closed />;
  const { topic } = view;
  if (!(await viewer())) redirect(withQuery("/sign-in", { next: `/topics/${topic.id}/webhooks` }));
  const list = topic.abilities.includes("moderate") ? await webhooks(topic.id) : null;
  return (
    <Page title={t("webhooks.title")} back={`/topics/${topic.id}/log`}>
      {list?.ok ? (
        <>
          <p className="max-w-[68ch] text-soft">{t("webhooks.lead")}</p>
          <WebhookList topicId={topic.id} initial={list.value.webhooks} />
        </>
      ) : (
        <EmptyState
          title={t("webhooks.onlyStaffTitle")}
          action={<ButtonLink href={`/topics/${topic.id}`}>{t("topic.open")}</ButtonLink>}
        >
          {t("webhooks.onlyStaff")}
        </EmptyState>
      )}
    </Page>
  );
}

export default withWords(["share", "webhooks"], WebhooksPage);
