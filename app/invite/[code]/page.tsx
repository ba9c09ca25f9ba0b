import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { demandOf } from "@/components/proof/demand";
import { Gate } from "@/components/proof/gate";
import { Page } from "@/components/shell/page";
import { JoinPanel } from "@/components/topic/join-panel";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";
import { compact } from "@/lib/i18n/time";
import { config, invite as readInvite, viewer } from "../../_data/reads";
import { looksPassed } from "../../_data/seals";

interface Props {
  readonly params: Promise<{ readonly code: string }>;
}

export const metadata: Metadata = { title: en.invite.title, robots: { index: false } };

/** What an invite leads to, and the way in. */
export default async function Invite({ params }: Props) {
  const { code } = await params;
  const page = `/invite/${code}`;
  const who = await viewer();
  if (!who) {
    return (
      <Page title={en.invite.title} back="/">
        <EmptyState
          title={en.invite.signInFirst}
          action={
            <ButtonLink href={`/sign-in?next=${encodeURIComponent(page)}`} tone="primary">
              {en.signIn.title}
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
      <Page title={en.invite.title} back="/">
        <EmptyState
          title={en.invite.badTitle}
          action={<ButtonLink href="/topics">{en.problems.explore}</ButtonLink>}
        >
          {en.invite.bad}
        </EmptyState>
      </Page>
    );
  }
  const { topic, isMember } = found.value;
  const passed = await looksPassed(topic);
  return (
    <Page title={en.invite.title} back="/">
      <header className="grid gap-2">
        <p className="text-soft">{en.invite.lead}</p>
        <h2 className="font-serif text-3xl font-semibold" dir="auto">
          {topic.title}
        </h2>
        {topic.description ? (
          <p className="max-w-[68ch] text-lg text-soft" dir="auto">
            {topic.description}
          </p>
        ) : null}
        <p className="text-sm text-soft">{en.common.members(compact(topic.memberCount))}</p>
      </header>
      <Gate terms={topic} config={settings} passed={passed} />
      <JoinPanel
        target={{ topicId: topic.id, title: topic.title, inviteCode: code }}
        config={settings}
        demand={demandOf(topic, settings)}
        page={page}
        verb={en.invite.accept}
        likely={passed}
        member={isMember}
      />
    </Page>
  );
}
