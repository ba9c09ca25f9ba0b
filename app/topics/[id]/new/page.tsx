import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { ComposerLoader } from "@/components/compose/composer-loader";
import { Page } from "@/components/shell/page";
import { joinVerb } from "@/components/topic/join-verb";
import { MuteNote } from "@/components/topic/mute-note";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { readShared, sharedQuery } from "@/lib/client/shared";
import { getWords } from "@/lib/i18n/server";
import { topic as readTopic, viewer } from "../../../_data/reads";
import { isId, type SearchParams } from "../../../_data/search-params";

interface Props {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("composer.title") };
}

/** Writing a post. */
export default async function NewPost({ params, searchParams }: Props) {
  const words = await getWords();
  const { id } = await params;
  if (!isId(id)) notFound();
  const [found, who] = await Promise.all([readTopic(id), viewer()]);
  if (!found.ok) notFound();
  const shared = readShared(await searchParams);
  const page = `/topics/${id}/new${sharedQuery(shared)}`;
  if (!who) redirect(`/sign-in?next=${encodeURIComponent(page)}`);
  if (!who.nicknameSet) redirect(`/profile?next=${encodeURIComponent(page)}`);
  const { topic, muted } = found.value;
  return (
    <Page title={words.t("composer.title")} back={`/topics/${id}`} ownHeading>
      <h1 className="text-soft" dir="auto">
        {words.t("composer.title")} {words.t("composer.in", { name: topic.title })}
      </h1>
      {topic.abilities.includes("write") ? (
        <ComposerLoader topicId={id} shared={shared} />
      ) : muted ? (
        <MuteNote reason={muted.reason} until={muted.until} />
      ) : (
        <EmptyState
          title={words.t("composer.membersOnlyTitle")}
          action={
            <ButtonLink href={`/topics/${id}/join`} tone="primary">
              {joinVerb(words, topic)}
            </ButtonLink>
          }
        >
          {words.t("composer.membersOnly")}
        </EmptyState>
      )}
    </Page>
  );
}
