import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { More } from "@/components/shell/more";
import { Page } from "@/components/shell/page";
import { MemberList } from "@/components/topic/member-list";
import { joinVerb } from "@/components/topic/topic-gate";
import { Button, ButtonLink } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { members, topic as readTopic, viewer } from "../../../_data/reads";
import { isId, type SearchParams, single, withQuery } from "../../../_data/search-params";
import { Closed } from "../../../_parts/closed";

interface Props {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export async function generateMetadata(): Promise<Metadata> {
  const { t } = await getWords();
  return { title: t("members.title"), robots: { index: false } };
}

/** Who is in a topic; found by the beginning of their nickname. */
export default async function MembersPage({ params, searchParams }: Props) {
  const words = await getWords();
  const { id } = await params;
  if (!isId(id)) notFound();
  const [found, who, query] = await Promise.all([readTopic(id), viewer(), searchParams]);
  if (!found.ok) {
    if (found.code === "topic_secret") return <Closed />;
    notFound();
  }
  const { topic } = found.value;
  // A longer one is nobody's.
  const q = single(query.q)?.slice(0, 20);
  const cursor = single(query.cursor);
  const list = await members({ topicId: id, q, cursor });
  const here = `/topics/${id}/members`;
  return (
    <Page title={words.t("members.title")} back={`/topics/${id}`} ownHeading>
      <div>
        <h1 className="font-serif text-2xl font-semibold md:text-3xl">{words.t("members.title")}</h1>
        <p className="truncate text-soft" dir="auto">
          {topic.title}
        </p>
      </div>
      {list?.ok ? (
        <>
          <search>
            <form action={here} className="flex gap-2">
              <Input
                type="search"
                name="q"
                defaultValue={q}
                maxLength={20}
                autoCapitalize="none"
                spellCheck={false}
                aria-label={words.t("members.search")}
                placeholder={words.t("members.searchPlaceholder")}
              />
              <Button type="submit">{words.t("members.go")}</Button>
            </form>
          </search>
          {list.value.members.length > 0 ? (
            <MemberList members={list.value.members} me={who?.userId ?? null} />
          ) : (
            <p className="text-soft">{words.t("members.none")}</p>
          )}
          {q ? (
            <div>
              <ButtonLink href={here} tone="quiet" size="sm">
                {words.t("members.all")}
              </ButtonLink>
            </div>
          ) : null}
          <More
            next={list.value.nextCursor && withQuery(here, { q, cursor: list.value.nextCursor })}
            first={cursor ? withQuery(here, { q }) : null}
          />
        </>
      ) : (
        <EmptyState
          title={words.t("members.outsiderTitle")}
          action={
            <ButtonLink href={`/topics/${id}/join`} tone="primary">
              {joinVerb(words, topic)}
            </ButtonLink>
          }
        >
          {words.t("members.outsider")}
        </EmptyState>
      )}
    </Page>
  );
}
