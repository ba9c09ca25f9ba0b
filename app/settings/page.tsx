import { cookies } from "next/headers";
import { useWords } from "#words";
import { Follow } from "@/components/block/follow";
import { InstallPart } from "@/components/offline/install-part";
import { PushPart } from "@/components/push/push-part";
import { ChosenThreads, ChosenTopics } from "@/components/settings/alert-levels";
import { DensitySwitch, KeyboardButton, LanguageSwitch, ThemeSwitch } from "@/components/settings/appearance";
import { BlockList } from "@/components/settings/block-list";
import { DeleteAccount } from "@/components/settings/delete-account";
import { DigestChoice, FeedAddress } from "@/components/settings/digest";
import { DomainBadges } from "@/components/settings/domain-badges";
import { DownloadMine } from "@/components/settings/download-mine";
import { NotificationKindList } from "@/components/settings/notification-kinds";
import { SessionList } from "@/components/settings/session-list";
import { SignOut } from "@/components/settings/sign-out";
import { Page } from "@/components/shell/page";
import { Panel, Section } from "@/components/shell/panel";
import { ButtonLink } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import { MemberLink } from "@/components/ui/member-name";
import { Note } from "@/components/ui/notes";
import { densityCookie, readDensity, readTheme, themeCookie } from "@/lib/client/theme";
import { getWords } from "@/lib/i18n/server";
import { localeCookie, locales } from "@/lib/i18n/words";
import { pageHead } from "../_data/head";
import {
  blockedUsers,
  domainBadges,
  feedAddressSince,
  followedUsers,
  notificationSettings,
  ownedTopics,
  sessions,
} from "../_data/me";
import { type Viewer, viewer } from "../_data/reads";
import { type SearchParams, single } from "../_data/search-params";
import { withWords } from "../_parts/words";

export const generateMetadata = pageHead((t) => t("settings.title"));

/** Theme and language for everyone; notifications, badges, sessions and the account for members. */
async function Settings({ searchParams }: { readonly searchParams: SearchParams }) {
  const { t } = await getWords();
  const [jar, who] = await Promise.all([cookies(), viewer()]);
  const language = jar.get(localeCookie)?.value;
  const wasDeleting = single((await searchParams).delete) === "1";
  return (
    <Page title={t("settings.title")} back="/profile" aside={who ? <Parts /> : null}>
      {who ? null : (
        <Note
          title={t("settings.guestTitle")}
          action={
            <ButtonLink href="/sign-in?next=/settings" size="sm">
              {t("signIn.title")}
            </ButtonLink>
          }
        >
          {t("settings.guest")}
        </Note>
      )}
      <Section id="appearance" title={t("settings.appearance")} first={who !== null}>
        <ThemeSwitch initial={readTheme(jar.get(themeCookie)?.value)} />
        <DensitySwitch initial={readDensity(jar.get(densityCookie)?.value)} />
        <LanguageSwitch chosen={locales.find((locale) => locale === language) ?? null} />
        <KeyboardButton />
      </Section>
      <InstallPart />
      {who ? <MemberParts who={who} wasDeleting={wasDeleting} /> : null}
    </Page>
  );
}

export default withWords(
  [
    "anonymous",
    "digest",
    "feedAddress",
    "install",
    "person",
    "profile",
    "proveAgain",
    "push",
    "settings",
    "share",
    "showDomain",
    "threadAlerts",
    "topicAlerts",
  ],
  Settings,
);

interface MemberPartsProps {
  readonly who: Viewer;
  /** True after the member proved again in order to delete their account. */
  readonly wasDeleting: boolean;
}

async function MemberParts({ who, wasDeleting }: MemberPartsProps) {
  const { t } = await getWords();
  const [devices, badges, owned, alerts, blocked, followed, feed] = await Promise.all([
    sessions(),
    domainBadges(),
    ownedTopics(),
    notificationSettings(),
    blockedUsers(),
    followedUsers(),
    feedAddressSince(),
  ]);
  return (
    <>
      <PushPart />
      {alerts ? (
        <Section id="alerts" title={t("topicAlerts.title")}>
          <p className="text-soft">{t("topicAlerts.lead")}</p>
          <NotificationKindList initial={alerts.kinds} />
          <h3 className="text-sm font-semibold">{t("topicAlerts.topics")}</h3>
          {alerts.topics.length === 0 ? <p className="text-soft">{t("topicAlerts.topicsNone")}</p> : null}
          <ChosenTopics topics={alerts.topics} />
          {alerts.threads.length > 0 ? (
            <>
              <h3 className="text-sm font-semibold">{t("threadAlerts.threads")}</h3>
              <ChosenThreads threads={alerts.threads} />
            </>
          ) : null}
        </Section>
      ) : null}
      {alerts ? (
        <Section id="digest" title={t("digest.title")}>
          <p className="text-soft">{t("digest.lead")}</p>
          <DigestChoice initial={alerts.digest} />
          <FeedAddress initial={feed} />
        </Section>
      ) : null}
      <Section id="follows" title={t("settings.follows")}>
        <p className="text-soft">{t("settings.followsLead")}</p>
        {followed && followed.length > 0 ? (
          <ul aria-label={t("settings.follows")} className="divide-y border-y">
            {followed.map((user) => (
              <li key={user.userId} className="flex items-center gap-3 py-2">
                <Avatar userId={user.userId} image={user.profileImage} size="sm" />
                <span className="min-w-0 flex-1 truncate">
                  <MemberLink of={user.nickname} className="font-medium" />
                </span>
                <Follow member={user} isFollowed />
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-soft">{t("settings.followsNone")}</p>
        )}
      </Section>
      <Section id="blocks" title={t("settings.blocks")}>
        <p className="text-soft">{t("settings.blocksLead")}</p>
        <BlockList users={blocked ?? []} />
      </Section>
      {badges && who.nicknameSet ? (
        <Section id="badges" title={t("settings.badges")}>
          <p className="text-soft">{t("settings.badgesLead")}</p>
          <DomainBadges initial={badges} />
        </Section>
      ) : null}
      <Section id="anonymous" title={t("anonymous.page.title")}>
        <div>
          <ButtonLink href="/settings/anonymous">{t("anonymous.page.open")}</ButtonLink>
        </div>
      </Section>
      <Section id="sessions" title={t("settings.sessions")}>
        <p className="text-soft">{t("settings.sessionsLead")}</p>
        <SessionList initial={devices ?? []} />
      </Section>
      <Section id="tokens" title={t("tokens.title")}>
        <p className="text-soft">{t("tokens.lead")}</p>
        <div>
          <ButtonLink href="/settings/tokens">{t("tokens.open")}</ButtonLink>
        </div>
      </Section>
      <Section id="apps" title={t("apps.title")}>
        <p className="text-soft">{t("apps.settings")}</p>
        <div>
          <ButtonLink href="/settings/apps">{t("apps.open")}</ButtonLink>
        </div>
      </Section>
      <Section id="data" title={t("settings.data")}>
        <DownloadMine />
      </Section>
      <Section id="account" title={t("settings.account")}>
        <p className="text-soft">{t("settings.signOutHint")}</p>
        <div>
          <SignOut />
        </div>
        <div className="border-t pt-4">
          <DeleteAccount
            userId={who.userId}
            nickname={who.nickname}
            owned={owned.blocking.map(({ id, title }) => ({ id, title }))}
            returning={owned.returning.map(({ title }) => title)}
            asked={wasDeleting}
          />
        </div>
      </Section>
    </>
  );
}

/** The right column: links to the sections of this page. */
function Parts() {
  const { t } = useWords();
  const parts = [
    { id: "appearance", label: t("settings.appearance") },
    { id: "push", label: t("push.title") },
    { id: "alerts", label: t("topicAlerts.title") },
    { id: "digest", label: t("digest.title") },
    { id: "follows", label: t("settings.follows") },
    { id: "blocks", label: t("settings.blocks") },
    { id: "badges", label: t("settings.badges") },
    { id: "anonymous", label: t("anonymous.page.title") },
    { id: "sessions", label: t("settings.sessions") },
    { id: "tokens", label: t("tokens.title") },
    { id: "apps", label: t("apps.title") },
    { id: "data", label: t("settings.data") },
    { id: "account", label: t("settings.account") },
  ];
  return (
    <Panel title={t("settings.parts")}>
      <nav aria-label={t("settings.parts")}>
        <ul className="grid gap-1.5">
          {parts.map(({ id, label }) => (
            <li key={id}>
              <a href={`#${id}`} className="link">
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </Panel>
  );
}
