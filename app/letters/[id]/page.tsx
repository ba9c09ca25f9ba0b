import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { Check } from "@/components/anonymous/check";
import { PostBody } from "@/components/post/post-body";
import { Share } from "@/components/post/share";
import { ShownContentProvider } from "@/components/post/shown-content";
import { sealKind, sealStatement } from "@/components/proof/gate-words";
import { Page } from "@/components/shell/page";
import { Title } from "@/components/text/title";
import { TimeAgo } from "@/components/ui/time-ago";
import { getWords } from "@/lib/i18n/server";
import { postHead } from "../../_data/head";
import { withProxiedPictures } from "../../_data/post-content";
import { post as readPost, topic as readTopic } from "../../_data/reads";
import { type IdPageProps, isId } from "../../_data/search-params";
import { withWords } from "../../_parts/words";

export async function generateMetadata({ params }: IdPageProps): Promise<Metadata> {
  return postHead((await params).id, { sort: "old" });
}

/** What one of a crowd wrote, as a letter: the text, and below it the seal that anybody can check. */
async function Letter({ params }: IdPageProps) {
  const { id } = await params;
  if (!isId(id)) notFound();
  const found = await readPost(id, undefined, undefined, "old");
  if (!found.ok) notFound();
  const { post } = found.value;
  if (!post.anonymous || post.isDeleted || post.isHidden) notFound();
  const [words, topic, shown] = await Promise.all([
    getWords(),
    readTopic(post.topicId),
    withProxiedPictures(post.content),
  ]);
  const { t } = words;
  const n = post.anonymous.crowd;
  const gate = topic.ok && topic.value.topic.proofType !== "none" ? topic.value.topic : null;
  return (
    <Page title={t("anonymous.letter.title", { n })} back={`/posts/${id}`} ownHeading>
      <ShownContentProvider content={{ html: post.content, shown }}>
        <article className="grid gap-6 rounded-sheet border bg-sheet px-5 py-8 sm:px-10">
          <p className="text-sm text-soft">
            {t("anonymous.letter.title", { n })} · <TimeAgo at={post.createdAt} />
          </p>
          <h1 className="font-serif text-3xl font-semibold md:text-4xl" dir="auto">
            <Title of={post.title} />
          </h1>
          <PostBody names={[]} />
          <footer className="grid justify-items-center gap-4 border-t pt-8 text-center">
            <Check postId={id} seal={gate ? sealKind(gate.proofType) : "person"} />
            <p className="max-w-[46ch] font-serif text-lg" dir="auto">
              {t("anonymous.letter.seal", { n, topic: post.topicTitle })}
            </p>
            {gate ? <p className="text-sm font-medium">{sealStatement(words, gate)}</p> : null}
            <p className="max-w-[46ch] text-sm text-soft">{t("anonymous.letter.lacks")}</p>
          </footer>
        </article>
      </ShownContentProvider>
      <div className="flex flex-wrap items-center gap-3">
        <Share path={`/letters/${id}`} title={post.title} />
        <Link href={`/posts/${id}`} className="link tap inline-flex items-center text-sm">
          {t("anonymous.letter.back")}
        </Link>
      </div>
    </Page>
  );
}

export default withWords(["anonymous", "gallery", "share"], Letter);
