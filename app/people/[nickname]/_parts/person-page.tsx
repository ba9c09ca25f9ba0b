import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { Follow } from "@/components/block/follow";
import { MemberMenu } from "@/components/block/member-menu";
import { ShownSeals } from "@/components/proof/shown-seals";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import { Note } from "@/components/ui/notes";
import { Tabs } from "@/components/ui/tabs";
import { personPath } from "@/lib/client/places";
import type { PersonView } from "@/lib/contract/people";
import { getWords } from "@/lib/i18n/server";
import { monthOf } from "@/lib/i18n/time";
import { person } from "../../../_data/people";
import { config, viewer } from "../../../_data/reads";
import { type SearchParams, single, withQuery } from "../../../_data/search-params";
import { MyTopics } from "../../../_parts/asides";

export interface PersonPageProps {
  readonly params: Promise<{ readonly nickname: string }>;
  readonly searchParams: SearchParams;
}

export async function personMetadata({ params }: PersonPageProps): Promise<Metadata> {
  const found = await person((await params).nickname);
  const { t } = await getWords();
  // Search engines list what people write, not people.
  return { title: found?.nickname ?? t("problems.notFoundTitle"), robots: { index: false } };
}

/** One list of what a member wrote. */
export interface PersonList {
  readonly shown: ReactNode;
  readonly nextCursor: string | null;
}

/**
 * A member: what they show of themselves, and what they wrote that the visitor may read.
 * @param read reads a page of the list
 */
export async function PersonPage(
  { params, searchParams }: PersonPageProps,
  which: "posts" | "comments",
  read: (nickname: string, cursor: string | undefined) => Promise<PersonList>,
) {
  const { t } = await getWords();
  const found = await person((await params).nickname);
  if (!found) notFound();
  const cursor = single((await searchParams).cursor);
  const [who, { srs }, list] = await Promise.all([viewer(), config(), read(found.nickname, cursor)]);
  const isMe = who?.userId === found.userId;
  const [posts, comments] = [personPath(found.nickname), `${personPath(found.nickname)}/comments`];
  // Next's router keeps a page that it got by a rewritten address (next.config.ts) for every query of that address.
  const here = (next?: string) => {
    const path = which === "posts" ? posts : comments;
    return next ? withQuery(path.replace("/@", "/people/"), { cursor: next }) : path;
  };
  return (
    <Page title={found.nickname} back="/" ownHeading aside={<MyTopics />}>
      <Head of={found} isMe={isMe} mayAct={who !== null && !isMe} isForgeable={srs === "development"} />
      <div>
        <Tabs
          label={t("person.tabs")}
          tabs={[
            { href: posts, label: t("topic.posts"), current: which === "posts" },
            { href: comments, label: t("post.comments"), current: which === "comments" },
          ]}
        />
        {list.shown}
      </div>
      <More href={here} cursor={cursor} next={list.nextCursor} />
    </Page>
  );
}

interface HeadProps {
  readonly of: PersonView;
  readonly isMe: boolean;
  /** Whether the visitor can block and report them. */
  readonly mayAct: boolean;
  /** Whether proofs use a development SRS. */
  readonly isForgeable: boolean;
}

function Head({ of, isMe, mayAct, isForgeable }: HeadProps) {
  const words = useWords();
  const { t } = words;
  return (
    <header className="grid gap-3">
      <div className="flex items-center gap-4">
        <Avatar userId={of.userId} image={of.profileImage} size="lg" />
        <div className="min-w-0 flex-1">
          <h1 className="truncate font-serif text-3xl font-semibold">{of.nickname}</h1>
          <p className="text-sm text-soft">{t("person.since", { month: monthOf(words, of.since) })}</p>
        </div>
        {mayAct && !of.isBlocked ? <Follow member={of} isFollowed={of.isFollowed} /> : null}
        {mayAct ? <MemberMenu member={of} isBlocked={of.isBlocked} /> : null}
        {isMe ? (
          <ButtonLink href="/profile" size="sm">
            {t("nav.profile")}
          </ButtonLink>
        ) : null}
      </div>
      {of.seals.length > 0 ? (
        <section aria-label={t("person.seals")} className="grid gap-3 rounded-sheet border bg-sheet p-4">
          <ShownSeals of={of.seals} />
          {isForgeable ? <Note tone="warning">{t("seal.developmentLong")}</Note> : null}
        </section>
      ) : (
        <p className="text-sm text-soft">{t(isMe ? "person.nothingShownMe" : "person.nothingShown")}</p>
      )}
    </header>
  );
}
