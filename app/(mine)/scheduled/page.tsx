import { ScheduledList } from "@/components/me/scheduled-list";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../../_data/head";
import { scheduledPosts } from "../../_data/me";
import { namedViewer } from "../../_data/reads";
import { MyTopics } from "../../_parts/asides";
import { withWords } from "../../_parts/words";

export const generateMetadata = pageHead((t) => t("scheduled.title"));

/** The visitor's posts that wait for their time. */
async function Scheduled() {
  const { t } = await getWords();
  const { userId } = await namedViewer("/scheduled");
  const posts = await scheduledPosts();
  return (
    <Page title={t("scheduled.title")} back="/profile" aside={<MyTopics />}>
      <p className="text-soft">{t("scheduled.lead")}</p>
      {posts.length === 0 ? (
        <EmptyState
          title={t("scheduled.none")}
          action={<ButtonLink href="/write">{t("topic.write")}</ButtonLink>}
        >
          {t("scheduled.noneText")}
        </EmptyState>
      ) : null}
      <ScheduledList userId={userId} posts={posts} />
    </Page>
  );
}

export default withWords(["scheduled"], Scheduled);
