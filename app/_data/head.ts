import type { Metadata } from "next";
import type { Topic } from "@/lib/contract";
import { getWords } from "@/lib/i18n/server";
import { isOpenPost, isOpenTopic } from "@/lib/metadata/open";
import { openHead, siteHead } from "@/lib/metadata/page";
import { getServices } from "@/lib/runtime/services";
import { postCardPath, siteCardPath, topicCardPath } from "../cards/_card/address";
import { post as readPost, topic as readTopic } from "./reads";
import { isId } from "./search-params";

/** Heads of pages. What they tell machines is what a guest may read, whoever looks at the page. */

/** Of every page that has no head of its own, and the part that all share. */
export async function sharedHead(): Promise<Metadata> {
  const [{ t }, { deployment }] = await Promise.all([getWords(), getServices()]);
  return siteHead({
    name: t("common.name"),
    tagline: t("common.tagline"),
    card: siteCardPath(),
    url: deployment.services.appUrl,
  });
}

/** Of a page that is there for everybody. */
export async function fixedHead(page: {
  readonly path: string;
  readonly title?: string;
  readonly description?: string;
  /** Whether it shows posts of all topics. */
  readonly feed?: boolean;
}): Promise<Metadata> {
  const { t } = await getWords();
  const name = t("common.name");
  const { path, title, description = t("common.tagline") } = page;
  const feed = page.feed ? { path: "", title: name } : undefined;
  const head = openHead({ path, title: title ?? name, description, card: siteCardPath(), feed }, name);
  // Without the name once more behind it.
  return title ? head : { ...head, title: { absolute: name } };
}

/** Of a topic's page. */
export async function topicHead(topicId: string): Promise<Metadata> {
  const { t } = await getWords();
  const found = isId(topicId) ? await readTopic(topicId) : null;
  if (!found?.ok) return { title: t("problems.notFoundTitle") };
  const { topic } = found.value;
  if (!isOpenTopic(topic)) return { title: topic.title };
  return openHead(
    {
      title: topic.title,
      description: topic.description || t("common.tagline"),
      path: `/topics/${topic.id}`,
      card: topicCardPath(topic),
      feed: feedOf(topic),
    },
    t("common.name"),
  );
}

/** Which page of a post's comments is asked for. */
export interface CommentsPlace {
  readonly cursor?: string;
  /** The one on which this comment stands. */
  readonly comment?: string;
}

/** Of a post's page. @param place as the page reads it, so that the post is read once */
export async function postHead(postId: string, { cursor, comment }: CommentsPlace): Promise<Metadata> {
  const { t } = await getWords();
  const found = isId(postId) ? await readPost(postId, cursor, comment) : null;
  if (!found?.ok) return { title: t("problems.notFoundTitle") };
  const { post } = found.value;
  const topic = await readTopic(post.topicId);
  const state = { deleted: post.isDeleted, hidden: post.isHidden };
  if (!topic.ok || !isOpenPost({ ...state, visibility: topic.value.topic.visibility })) {
    return { title: post.title || t("post.deleted") };
  }
  return openHead(
    {
      title: post.title,
      description: post.summary,
      path: `/posts/${post.id}`,
      card: postCardPath(post, topic.value.topic),
      feed: feedOf(topic.value.topic),
      article: { publishedTime: post.createdAt, modifiedTime: post.updatedAt },
    },
    t("common.name"),
  );
}

const feedOf = ({ id, title }: Topic) => ({ path: `/topics/${id}`, title });
