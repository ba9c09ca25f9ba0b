import type { Metadata } from "next";
import type { Topic } from "@/lib/contract";
import type { CommentSort } from "@/lib/contract/comments";
import { getWords } from "@/lib/i18n/server";
import type { Words } from "@/lib/i18n/words";
import { isOpenPost, isOpenTopic } from "@/lib/metadata/open";
import { openHead, siteHead } from "@/lib/metadata/page";
import { getServices } from "@/lib/runtime/services";
import { postCardPath, siteCardPath, topicCardPath } from "../cards/_card/words";
import { post as readPost, topic as readTopic } from "./reads";
import { isId } from "./search-params";

/** Metadata of pages. It tells crawlers only what a guest may read, whoever requests the page. */

/** Returns the metadata that every page inherits; pages are `noindex` unless one of the functions below opens them. */
export async function sharedHead(): Promise<Metadata> {
  const [{ t }, { deployment }] = await Promise.all([getWords(), getServices()]);
  return siteHead({
    name: t("common.name"),
    tagline: t("common.tagline"),
    card: siteCardPath(),
    url: deployment.services.appUrl,
  });
}

/** Makes the `generateMetadata` of a page that needs only a title. Crawlers skip the page. */
export function pageHead(title: (t: Words["t"]) => string, more?: Metadata): () => Promise<Metadata> {
  return async () => ({ title: title((await getWords()).t), ...more });
}

/** Returns the metadata of a page that everyone may read. */
export async function fixedHead(page: {
  readonly path: string;
  readonly title?: string;
  readonly description?: string;
  /** Whether the page links to the feed of all topics. */
  readonly feed?: boolean;
}): Promise<Metadata> {
  const { t } = await getWords();
  const name = t("common.name");
  const { path, title, description = t("common.tagline") } = page;
  const feed = page.feed ? { path: "", title: name } : undefined;
  const head = openHead({ path, title: title ?? name, description, card: siteCardPath(), feed }, name);
  // The home page's title is the name, without the name appended again.
  return title ? head : { ...head, title: { absolute: name } };
}

/** Returns the metadata of a topic's page. */
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

/** Which page of a post's comments is requested. */
export interface CommentsPlace {
  readonly cursor?: string;
  /** The page with this comment. */
  readonly comment?: string;
  readonly sort: CommentSort;
}

/** Returns the metadata of a post's page. @param place as the page reads it, so that the post is read once */
export async function postHead(postId: string, { cursor, comment, sort }: CommentsPlace): Promise<Metadata> {
  const { t } = await getWords();
  const found = isId(postId) ? await readPost(postId, cursor, comment, sort) : null;
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
