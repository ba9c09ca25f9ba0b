import { redirect } from "next/navigation";
import { Page } from "@/components/shell/page";
import { Invites } from "@/components/staff/invites";
import { JoinLink } from "@/components/topic/join-link";
import { EmptyState, Note } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { getServices } from "@/lib/runtime/services";
import { viewer } from "../../../_data/reads";
import { type IdPageProps, withQuery } from "../../../_data/search-params";
import { withWords } from "../../../_parts/words";
import { Closed, openTopic, partHead } from "../_parts/open";

export const generateMetadata = partHead((t, topic) => `${t("invites.title")} · ${topic}`);

/** Where members invite others: the topic's code, and links for one person each. */
async function InvitesPage({ params }: IdPageProps) {
  const { t } = await getWords();
  const view = await openTopic(params);
  if (!view) return <Closed />;
  const { topic, currentUserRole: role, muted } = view;
  if (!(await viewer())) redirect(withQuery("/sign-in", { next: `/topics/${topic.id}/invites` }));
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
        <EmptyState title={t("composer.membersOnlyTitle")} action={<JoinLink topic={topic} />} />
      ) : (
        <>
          <p className="text-soft">{topic.proofType === "none" ? t("invites.noGate") : t("invites.gate")}</p>
          {muted ? <Note tone="warning">{t("invites.muted")}</Note> : null}
          <Invites
            topicId={topic.id}
            code={topic.inviteCode}
            origin={new URL(deployment.services.appUrl).origin}
            mayCreate={topic.abilities.includes("write")}
            mayRenew={topic.abilities.includes("moderate")}
          />
        </>
      )}
    </Page>
  );
}

export default withWords(["invites", "share"], InvitesPage);
