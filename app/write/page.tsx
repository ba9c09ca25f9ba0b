import Link from "next/link";
import { redirect } from "next/navigation";
import { Page } from "@/components/shell/page";
import { GateChip, TopicPicture } from "@/components/topic/topic-row";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { readShared, sharedQuery } from "@/lib/client/shared";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../_data/head";
import { myTopics, viewer } from "../_data/reads";
import type { SearchParams } from "../_data/search-params";

export const generateMetadata = pageHead((t) => t("nav.write"));

/** Where a member chooses the topic of a new post. */
export default async function Write({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const shared = sharedQuery(readShared(await searchParams));
  if (!(await viewer())) redirect(`/sign-in?next=${encodeURIComponent(`/write${shared}`)}`);
  const topics = await myTopics(50);
  return (
    <Page title={t("profile.writeTitle")}>
      {topics.length === 0 ? (
        <EmptyState
          title={t("feed.guestMyTitle")}
          action={
            <>
              <ButtonLink href="/topics">{t("problems.explore")}</ButtonLink>
              <ButtonLink href="/topics/new" prefetch={false}>
                {t("topics.startTopic")}
              </ButtonLink>
            </>
          }
        >
          {t("profile.writeEmpty")}
        </EmptyState>
      ) : (
        <ul className="divide-y rounded-sheet border bg-sheet">
          {topics.map((topic) => (
            <li
              key={topic.id}
              className="ease relative flex items-center gap-x-3 px-4 py-3 first:rounded-t-sheet last:rounded-b-sheet hover:bg-wash"
            >
              <TopicPicture topic={topic} />
              <span className="flex min-w-0 flex-wrap items-center gap-x-3">
                <Link
                  href={`/topics/${topic.id}/new${shared}`}
                  className="stretched min-w-0 font-medium"
                  dir="auto"
                >
                  {topic.title}
                </Link>
                <GateChip topic={topic} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
