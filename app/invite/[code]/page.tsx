import { redirect } from "next/navigation";
import { demandOf } from "@/components/proof/demand";
import { Gate } from "@/components/proof/gate";
import { Page } from "@/components/shell/page";
import { JoinPanel } from "@/components/topic/join-panel";
import { OwnRules } from "@/components/topic/own-rules";
import { JoinCost } from "@/components/topic/topic-gate";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../../_data/head";
import { shownDomains } from "../../_data/me";
import { config, invite as readInvite, viewer } from "../../_data/reads";
import { looksPassed } from "../../_data/seals";
import { withQuery } from "../../_data/search-params";
import { proofGroups, withWords } from "../../_parts/words";

export const generateMetadata = pageHead((t) => t("invite.title"));

/** The topic an invite leads to, for guests too, and how to join it. */
async function Invite({ params }: { readonly params: Promise<{ readonly code: string }> }) {
  const { t } = await getWords();
  const { code } = await params;
  const page = `/invite/${code}`;
  const who = await viewer();
  if (who && !who.nicknameSet) redirect(withQuery("/profile", { next: page }));
  const [found, settings] = await Promise.all([readInvite(decodeURIComponent(code)), config()]);
  if (!found.ok) {
    return (
      <Page title={t("invite.title")} back="/">
        <EmptyState
          title={t("invite.badTitle")}
          action={<ButtonLink href="/topics">{t("problems.explore")}</ButtonLink>}
        >
          {t("invite.bad")}
        </EmptyState>
      </Page>
    );
  }
  const { topic, isMember } = found.value;
  const passed = await looksPassed(topic);
  return (
    <Page title={t("invite.title")} back="/">
      <header className="grid gap-2">
        <p className="text-soft">{t("invite.lead")}</p>
        <h2 className="font-serif text-3xl font-semibold" dir="auto">
          {topic.title}
        </h2>
        {topic.description ? (
          <p className="max-w-[68ch] text-lg text-soft" dir="auto">
            {topic.description}
          </p>
        ) : null}
        <p className="text-sm text-soft">{t("common.members", { n: topic.memberCount })}</p>
      </header>
      <Gate
        terms={topic}
        config={settings}
        shownDomains={await shownDomains(topic.id)}
        passed={passed}
        warns={!who || passed}
        action={
          who ? null : (
            <ButtonLink href={withQuery("/sign-in", { next: page })} tone="primary">
              {t("invite.signIn")}
            </ButtonLink>
          )
        }
      >
        {who ? null : <JoinCost standing="guest" proofType={topic.proofType} config={settings} />}
      </Gate>
      <OwnRules topic={{ ...topic, slowModeSeconds: null, linksAfterPosts: 0 }} />
      {who ? (
        <JoinPanel
          target={{ topicId: topic.id, title: topic.title, inviteCode: code }}
          config={settings}
          demand={demandOf(topic, settings)}
          page={page}
          verb={t("common.joinTopic")}
          likely={passed}
          member={isMember}
        />
      ) : null}
    </Page>
  );
}

export default withWords(["membership", "topic", ...proofGroups], Invite);
