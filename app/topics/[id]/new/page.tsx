import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { ComposerLoader } from "@/components/post/composer-loader";
import { Page } from "@/components/shell/page";
import { joinVerb } from "@/components/topic/topic-gate";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";
import { topic as readTopic, viewer } from "../../../_data/reads";
import { isId } from "../../../_data/search-params";

interface Props {
  readonly params: Promise<{ readonly id: string }>;
}

export const metadata: Metadata = { title: en.composer.title };

/** Writing a post. */
export default async function NewPost({ params }: Props) {
  const { id } = await params;
  if (!isId(id)) notFound();
  const [found, who] = await Promise.all([readTopic(id), viewer()]);
  if (!found.ok) notFound();
  const page = `/topics/${id}/new`;
  if (!who) redirect(`/sign-in?next=${encodeURIComponent(page)}`);
  if (!who.nicknameSet) redirect(`/profile?next=${encodeURIComponent(page)}`);
  const { topic, currentUserRole } = found.value;
  return (
    <Page title={en.composer.title} back={`/topics/${id}`} ownHeading>
      <h1 className="text-soft" dir="auto">
        {en.composer.title} {en.composer.in(topic.title)}
      </h1>
      {currentUserRole ? (
        <ComposerLoader topicId={id} />
      ) : (
        <EmptyState
          title={en.composer.membersOnlyTitle}
          action={
            <ButtonLink href={`/topics/${id}/join`} tone="primary">
              {joinVerb(topic)}
            </ButtonLink>
          }
        >
          {en.composer.membersOnly}
        </EmptyState>
      )}
    </Page>
  );
}
