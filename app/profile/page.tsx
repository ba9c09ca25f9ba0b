import Link from "next/link";
import { useWords } from "#words";
import { SealCards, Seen } from "@/components/me/identity";
import { MyLinks } from "@/components/me/links";
import { ProfileNickname } from "@/components/profile/nickname-form";
import { Picture } from "@/components/profile/picture";
import { proposedNickname } from "@/components/profile/proposed-nickname";
import type { SealFacts } from "@/components/proof/seal";
import { SignOut } from "@/components/settings/sign-out";
import { Page } from "@/components/shell/page";
import { Section } from "@/components/shell/panel";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { firstPlace, pathHere } from "@/lib/client/places";
import { getWords } from "@/lib/i18n/server";
import { openWork } from "../_data/desk";
import { pageHead } from "../_data/head";
import { domainBadges, myPicture } from "../_data/me";
import { viewer } from "../_data/reads";
import { mySeals } from "../_data/seals";
import { type SearchParams, single } from "../_data/search-params";
import { withWords } from "../_parts/words";

export const generateMetadata = pageHead((t) => t("nav.profile"));

/** The visitor's picture, nickname and seals, with links to everything else of theirs. */
async function Profile({ searchParams }: { readonly searchParams: SearchParams }) {
  const words = await getWords();
  const who = await viewer();
  if (!who) return <Guest />;
  const next = single((await searchParams).next);
  const [seals, picture, badges, work] = await Promise.all([
    mySeals(words),
    myPicture(),
    domainBadges(),
    openWork(),
  ]);
  return (
    <Page
      title={words.t("nav.profile")}
      aside={
        <Seen userId={who.userId} nickname={who.nickname} picture={picture} domains={badges?.domains ?? []} />
      }
    >
      {who.nicknameSet ? (
        // Remounts when the server has a new picture.
        <Picture key={picture} userId={who.userId} image={picture}>
          <div>
            <p className="font-serif text-2xl font-semibold">{who.nickname}</p>
            <p className="text-sm text-soft">
              {words.t("profile.verified")} <TimeAgo at={who.verifiedAt} />
            </p>
          </div>
        </Picture>
      ) : null}
      <div className={who.nicknameSet ? "border-t pt-5" : undefined}>
        <ProfileNickname
          current={who.nicknameSet ? who.nickname : null}
          proposed={proposedNickname()}
          next={next && !who.nicknameSet ? firstPlace(pathHere(next) ?? "/") : null}
        />
      </div>
      <Section id="seals" title={words.t("profile.mySeal")}>
        <Seals seals={seals} />
      </Section>
      <Section id="yours" title={words.t("me.links")}>
        <MyLinks work={work} />
        <div>
          <SignOut />
        </div>
      </Section>
    </Page>
  );
}

export default withWords(["anonymous", "picture", "profile", "seal"], Profile);

function Seals({ seals }: { readonly seals: readonly SealFacts[] }) {
  const { t } = useWords();
  if (seals.length === 0) {
    return (
      <EmptyState
        title={t("me.noSealTitle")}
        action={
          <>
            <ButtonLink href="/topics">{t("me.noSealAction")}</ButtonLink>
            <ButtonLink href="/sign-in">{t("signIn.title")}</ButtonLink>
          </>
        }
      >
        {t("me.noSeal")}
      </EmptyState>
    );
  }
  return (
    <>
      <SealCards seals={seals} />
      <p className="text-sm text-soft">{t("profile.sealUntil")}</p>
      <p className="text-sm text-soft">
        <Link href="/actions/example" prefetch={false} className="link">
          {t("petition.title")}
        </Link>
        . {t("petition.linkHint")}
      </p>
    </>
  );
}

function Guest() {
  const { t } = useWords();
  return (
    <Page title={t("nav.profile")}>
      <EmptyState
        title={t("profile.guestTitle")}
        action={
          <>
            <ButtonLink href="/sign-in" tone="primary">
              {t("signIn.title")}
            </ButtonLink>
            <ButtonLink href="/settings">{t("settings.title")}</ButtonLink>
          </>
        }
      >
        {t("profile.guest")}
      </EmptyState>
    </Page>
  );
}
