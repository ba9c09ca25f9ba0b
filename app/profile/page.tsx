import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import type { ReactNode } from "react";
import { ProfileNickname, SignOut, ThemeSwitch } from "@/components/profile/session-controls";
import { Seal } from "@/components/proof/seal";
import { PushPart } from "@/components/push/push-part";
import { Page } from "@/components/shell/page";
import { readTheme, themeCookie } from "@/components/shell/theme";
import { ButtonLink } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import { EmptyState, Note } from "@/components/ui/notes";
import { TimeAgo } from "@/components/ui/time-ago";
import { getWords } from "@/lib/i18n/server";
import { nextPath } from "../_data/next-path";
import { viewer } from "../_data/reads";
import { mySeals } from "../_data/seals";
import { type SearchParams, single } from "../_data/search-params";

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("profile.title") };
}

/** Nickname, seals, theme and the end of the session. */
export default async function Profile({ searchParams }: { readonly searchParams: SearchParams }) {
  const words = await getWords();
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  const who = await viewer();
  const next = single((await searchParams).next);
  if (!who) {
    return (
      <Page title={words.t("profile.title")}>
        <EmptyState
          title={words.t("profile.guestTitle")}
          action={
            <ButtonLink href="/sign-in" tone="primary">
              {words.t("signIn.title")}
            </ButtonLink>
          }
        >
          {words.t("profile.guest")}
        </EmptyState>
        <Part title={words.t("profile.theme")}>
          <ThemeSwitch initial={theme} />
        </Part>
      </Page>
    );
  }
  const seals = await mySeals(words);
  return (
    <Page title={words.t("profile.title")}>
      {who.nicknameSet ? null : (
        <Note tone="warning" title={words.t("profile.chooseTitle")}>
          {words.t("profile.choose")}
        </Note>
      )}
      <div className="flex items-center gap-4">
        <Avatar userId={who.userId} size="lg" />
        <div>
          <p className="font-serif text-xl font-semibold">{who.nickname}</p>
          <p className="text-sm text-soft">
            {words.t("profile.verified")} <TimeAgo at={who.verifiedAt} />
          </p>
        </div>
      </div>
      <Part title={words.t("profile.nickname")}>
        <ProfileNickname
          current={who.nicknameSet ? who.nickname : null}
          next={next && !who.nicknameSet ? nextPath(next) : null}
        />
      </Part>
      <Part title={words.t("profile.mySeal")}>
        {seals.length > 0 ? (
          <ul className="grid gap-3">
            {seals.map((facts) => (
              <li key={facts.statement}>
                <Seal facts={facts} size="md" />
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-soft">{words.t("profile.noSeal")}</p>
        )}
        <p className="text-sm text-soft">{words.t("profile.sealUntil")}</p>
        <p className="text-sm text-soft">
          <Link href="/actions/example" className="link">
            {words.t("petition.link")}
          </Link>
          . {words.t("petition.linkHint")}
        </p>
      </Part>
      <Part title={words.t("record.lists")}>
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <Link href="/profile/records" className="link">
            {words.t("record.mine")}
          </Link>
          <Link href="/profile/records?of=my-posts" className="link">
            {words.t("record.onMine")}
          </Link>
        </p>
      </Part>
      <PushPart />
      <Part title={words.t("profile.theme")}>
        <ThemeSwitch initial={theme} />
      </Part>
      <Part title={words.t("profile.session")}>
        <p className="text-sm text-soft">{words.t("profile.signOutHint")}</p>
        <div>
          <SignOut />
        </div>
      </Part>
    </Page>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="grid gap-3 border-t pt-5">
      <h2 className="font-serif text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}
