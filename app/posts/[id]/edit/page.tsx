import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { EditFormLoader } from "@/components/compose/composer-loader";
import { Page } from "@/components/shell/page";
import { audienceOf } from "@/components/topic/audience";
import { MuteNote } from "@/components/topic/mute-note";
import { ProofNote } from "@/components/topic/proof-note";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import { getWords } from "@/lib/i18n/server";
import { pageHead } from "../../../_data/head";
import { namedViewer, postToEdit, topic as readTopic } from "../../../_data/reads";
import { type IdPageProps, isId } from "../../../_data/search-params";
import { withWords } from "../../../_parts/words";

export const generateMetadata = pageHead((t) => t("composer.editTitle"));

/** Where authors edit a post. Others see why they can't before there is a form. */
async function EditPost({ params }: IdPageProps) {
  const words = await getWords();
  const { t } = words;
  const { id } = await params;
  if (!isId(id)) notFound();
  const who = await namedViewer(`/posts/${id}/edit`);
  const found = await postToEdit(id);
  if (!found.ok) {
    if (found.code !== "not_a_member" && found.code !== "reprove_required") notFound();
    return (
      <Frame id={id}>
        <Reason title={t("problems.memberOnlyTitle")} id={id} text={t("problems.memberOnly")} />
      </Frame>
    );
  }
  const { post } = found.value;
  if (post.isDeleted) notFound();
  const topic = await readTopic(post.topicId);
  const role = topic.ok ? topic.value.currentUserRole : null;
  const muted = topic.ok ? topic.value.muted : null;
  // An operator may edit someone else's post, which stays theirs.
  const author = { nickname: post.authorNickname, domains: post.authorDomains };
  return (
    <Frame id={id}>
      {post.abilities.includes("edit") ? (
        post.recordCount > 0 ? (
          <Reason title={t("composer.recordedTitle")} id={id} text={t("composer.recorded")} />
        ) : (
          <EditFormLoader
            post={post}
            audience={topic.ok ? audienceOf(words, topic.value.topic, author) : ""}
          />
        )
      ) : post.authorId !== who.userId ? (
        <Reason title={t("composer.notYoursTitle")} id={id} text={t("composer.notYours")} />
      ) : topic.ok && topic.value.proof?.state === "lapsed" ? (
        <ProofNote topicId={post.topicId} proof={topic.value.proof} />
      ) : muted ? (
        <MuteNote reason={muted.reason} until={muted.until} />
      ) : role === null ? (
        <Reason title={t("composer.membersOnlyTitle")} id={id} text={t("common.noLongerMember")} />
      ) : (
        <Reason title={t("composer.hiddenTitle")} id={id} text={t("composer.hidden")} />
      )}
    </Frame>
  );
}

export default withWords(["composer", "membership", "mention", "picker"], EditPost);

async function Frame({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const { t } = await getWords();
  return (
    <Page title={t("composer.editTitle")} back={`/posts/${id}`}>
      {children}
    </Page>
  );
}

function Reason({ id, title, text }: { readonly id: string; readonly title: string; readonly text: string }) {
  const { t } = useWords();
  return (
    <EmptyState title={title} action={<ButtonLink href={`/posts/${id}`}>{t("composer.toPost")}</ButtonLink>}>
      {text}
    </EmptyState>
  );
}
