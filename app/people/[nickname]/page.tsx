import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { useWords } from "#words";
import { Follow } from "@/components/block/follow";
import { MemberMenu } from "@/components/block/member-menu";
import { ShownDomains } from "@/components/proof/shown-domains";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { Avatar } from "@/components/ui/identicon";
import { EmptyState } from "@/components/ui/notes";
import { personPath } from "@/lib/client/places";
import type { PersonView } from "@/lib/contract/people";
import { getWords } from "@/lib/i18n/server";
import { monthOf } from "@/lib/i18n/time";
import { person, postsOf } from "../../_data/people";
import { viewer } from "../../_data/reads";
import { type SearchParams, single, withQuery } from "../../_data/search-params";
import { Posts } from "../../_parts/posts";
import { withWords } from "../../_parts/words";

interface PersonPageProps {
  readonly params: Promise<{ readonly nickname: string }>;
  readonly searchParams: SearchParams;
}

export async function generateMetadata({ params }: PersonPageProps): Promise<Metadata> {
  const found = await person((await params).nickname);
  const { t } = await getWords();
  // Search engines list what people write, not people.
  return { title: found?.nickname ?? t("problems.notFoundTitle"), robots: { index: false } };
}

/** A member: what they show of themselves, and what they wrote that the visitor may read. */
async function Person({ params, searchParams }: PersonPageProps) {
  const { t } = await getWords();
  const found = await person((await params).nickname);
  if (!found) notFound();
  const cursor = single((await searchParams).cursor);
  const [who, list] = await Promise.all([viewer(), postsOf(found.nickname, cursor)]);
  const isMe = who?.userId === found.userId;
  return (
    <Page title={found.nickname} back="/" ownHeading>
      <Head of={found} isMe={isMe} mayAct={who !== null && !isMe} />
      <section aria-labelledby="posts">
        <h2 id="posts" className="font-serif text-xl font-semibold">
          {t("topic.posts")}
        </h2>
        <Posts
          list={list}
          empty={<EmptyState title={t("person.noPostsTitle")}>{t("person.noPosts")}</EmptyState>}
        />
      </section>
      <More
        href={(next) => withQuery(personPath(found.nickname), { cursor: next })}
        cursor={cursor}
        next={list.ok ? list.value.nextCursor : null}
      />
    </Page>
  );
}

export default withWords(["person", "report", "seal"], Person);

interface HeadProps {
  readonly of: PersonView;
  readonly isMe: boolean;
  /** Whether the visitor can block and report them. */
  readonly mayAct: boolean;
}

function Head({ of, isMe, mayAct }: HeadProps) {
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
      {of.domains.length > 0 ? (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <ShownDomains of={of.domains} />
        </p>
      ) : (
        <p className="text-sm text-soft">{t(isMe ? "person.nothingShownMe" : "person.nothingShown")}</p>
      )}
    </header>
  );
}
