import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Page } from "@/components/shell/page";
import { Invites } from "@/components/staff/invites";
import { joinVerb } from "@/components/topic/join-verb";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState, Note } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { getServices } from "@/lib/runtime/services";
import { viewer } from "../../../_data/reads";
import { Closed } from "../../../_parts/closed";
import { openTopic, partHead } from "../_parts/open";

interface Props {
  readonly params: Promise<{ readonly id: string }>;
}

export function generateMetadata({ params }: Props): Promise<Metadata> {
  return partHead(params, (t) => t("invites.title"));
}

/** Ways for members to let others in: the topic's code, and links for one person each. */
export default async function InvitesPage({ params }: Props) {
  const words = await getWords();
  const { t } = words;
  const view = await openTopic(params);
  if (!view) return <Closed />;
  const { topic, currentUserRole: role, muted } = view;
  const who = await viewer();
  if (!who) redirect(`/sign-in?next=${encodeURIComponent(`/topics/${topic.id}/invites`)}`);
  const { deployment } = await getServices();
  return (
    <Page title={t("invites.title")} back={`/topics/${topic.id}`} ownHeading>
      <div>
        <h1 className="font-serif text-2xl font-semibold md:text-3xl">{t("invites.title")}</h1>
        <p className="truncate text-soft" dir="auto">
          {topic.title}
        </p>
      </div>
      {!role ? (
        <EmptyState
          title={t("composer.membersOnlyTitle")}
          action={
            <ButtonLink href={`/topics/${topic.id}/join`} tone="primary" prefetch={false}>
              {joinVerb(words, topic)}
            </ButtonLink>
          }
        />
      ) : (
        <>
          <p className="text-soft">{topic.proofType === "none" ? t("invites.noGate") : t("invites.gate")}</p>
          {muted ? <Note tone="warning">{t("invites.muted")}</Note> : null}
          <Invites
            topicId={topic.id}
            code={topic.inviteCode}
            origin={new URL(deployment.services.appUrl).origin}
            mayMake={topic.abilities.includes("write")}
            mayRenew={topic.abilities.includes("moderate")}
          />
        </>
      )}
    </Page>
  );
}
