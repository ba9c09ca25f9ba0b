import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { demandOf } from "@/components/proof/demand";
import { Gate } from "@/components/proof/gate";
import { Page } from "@/components/shell/page";
import { JoinPanel } from "@/components/topic/join-panel";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { shownDomains } from "../../_data/me";
import { config, invite as readInvite, viewer } from "../../_data/reads";
import { looksPassed } from "../../_data/seals";

interface Props {
  readonly params: Promise<{ readonly code: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("invite.title"), robots: { index: false } };
}

/** What an invite leads to, and the way in. */
export default async function Invite({ params }: Props) {
  const words = await getWords();
  const { code } = await params;
  const page = `/invite/${code}`;
  const who = await viewer();
  if (!who) {
    return (
      <Page title={words.t("invite.title")} back="/">
        <EmptyState
          title={words.t("invite.signInFirst")}
          action={
            <ButtonLink href={`/sign-in?next=${encodeURIComponent(page)}`} tone="primary">
              {words.t("signIn.title")}
            </ButtonLink>
          }
        />
      </Page>
    );
  }
  if (!who.nicknameSet) redirect(`/profile?next=${encodeURIComponent(page)}`);
  const [found, settings] = await Promise.all([readInvite(decodeURIComponent(code)), config()]);
  if (!found.ok || !found.value) {
    return (
      <Page title={words.t("invite.title")} back="/">
        <EmptyState
          title={words.t("invite.badTitle")}
          action={<ButtonLink href="/topics">{words.t("problems.explore")}</ButtonLink>}
        >
          {words.t("invite.bad")}
        </EmptyState>
      </Page>
    );
  }
  const { topic, isMember } = found.value;
  const passed = await looksPassed(topic);
  return (
    <Page title={words.t("invite.title")} back="/">
      <header className="grid gap-2">
        <p className="text-soft">{words.t("invite.lead")}</p>
        <h2 className="font-serif text-3xl font-semibold" dir="auto">
          {topic.title}
        </h2>
        {topic.description ? (
          <p className="max-w-[68ch] text-lg text-soft" dir="auto">
            {topic.description}
          </p>
        ) : null}
        <p className="text-sm text-soft">{words.t("common.members", { n: topic.memberCount })}</p>
      </header>
      <Gate terms={topic} config={settings} shownDomains={await shownDomains()} passed={passed} />
      <JoinPanel
        target={{ topicId: topic.id, title: topic.title, inviteCode: code }}
        config={settings}
        demand={demandOf(topic, settings)}
        page={page}
        verb={words.t("invite.accept")}
        likely={passed}
        member={isMember}
      />
    </Page>
  );
}
