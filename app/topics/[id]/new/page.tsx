import { notFound } from "next/navigation";
import { PostVoices } from "@/components/anonymous/voices";
import { ComposerLoader } from "@/components/compose/composer-loader";
import { NewAccountNote } from "@/components/compose/new-account-note";
import { Page } from "@/components/shell/page";
import { TopicAbout } from "@/components/topic/about";
import { audienceOf, readersOf } from "@/components/topic/audience";
import { JoinLink } from "@/components/topic/join-link";
import { MuteNote } from "@/components/topic/mute-note";
import { OwnRules } from "@/components/topic/own-rules";
import { ProofNote } from "@/components/topic/proof-note";
import { EmptyState } from "@/components/ui/notes";
import { readShared, sharedQuery } from "@/lib/client/shared";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../../../_data/head";
import { shownDomains } from "../../../_data/me";
import { namedViewer, newAccountLimits, topic as readTopic } from "../../../_data/reads";
import { type IdPageProps, isId } from "../../../_data/search-params";
import { withWords } from "../../../_parts/words";

export const generateMetadata = pageHead((t) => t("composer.title"));

/** Where a member writes a post. */
async function NewPost({ params, searchParams }: IdPageProps) {
  const words = await getWords();
  const { t } = words;
  const { id } = await params;
  if (!isId(id)) notFound();
  const found = await readTopic(id);
  if (!found.ok) notFound();
  const shared = readShared(await searchParams);
  const { nickname } = await namedViewer(`/topics/${id}/new${sharedQuery(shared)}`);
  const { topic, currentUserRole, muted, proof } = found.value;
  const composer = (
    <ComposerLoader
      topicId={id}
      audience={audienceOf(words, topic, { nickname, domains: await shownDomains(topic.id) })}
      shared={shared}
      mayBeSecret={topic.anonymous !== "off"}
    />
  );
  return (
    <Page
      title={t("composer.title")}
      back={`/topics/${id}`}
      ownHeading
      aside={<TopicAbout topic={topic} isMember={currentUserRole !== null} />}
    >
      <h1 className="text-soft" dir="auto">
        {t("composer.title")} {t("composer.in", { name: topic.title })}
      </h1>
      {topic.abilities.includes("write") ? (
        <>
          <OwnRules topic={topic} />
          <NewAccountNote limits={await newAccountLimits()} />
          {topic.anonymous === "on" ? (
            <PostVoices topicId={id} name={nickname} readers={readersOf(words, topic)}>
              {composer}
            </PostVoices>
          ) : (
            composer
          )}
        </>
      ) : proof?.state === "lapsed" ? (
        <ProofNote topicId={id} proof={proof} />
      ) : muted ? (
        <MuteNote reason={muted.reason} until={muted.until} />
      ) : (
        <EmptyState title={t("composer.membersOnlyTitle")} action={<JoinLink topic={topic} />}>
          {t("composer.membersOnly")}
        </EmptyState>
      )}
    </Page>
  );
}

export default withWords(
  ["anonymous", "composer", "membership", "mention", "newAccount", "picker", "report", "seal", "similar"],
  NewPost,
);
