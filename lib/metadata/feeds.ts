import { z } from "zod";
import * as community from "@/lib/community";
import { CANDIDATES } from "@/lib/community/search/search";
import { contract, type Post } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { escapeHtml } from "@/lib/html";
import type { GuestContext, PublicDocument } from "@/lib/http/public-document";
import { t } from "@/lib/i18n/english";
import { openTopic } from "./open";
import { type XmlElements, xmlDocument } from "./xml";

/** Maximum posts of a feed. */
const feedPosts = 30;
/** Seconds that a reader may cache a feed: hidden posts and closed topics disappear within this time. */
const feedSeconds = 60;

type FeedFormat = "rss" | "atom";

/** The content of a feed in any format. Texts are plain. */
interface Feed {
  /** Stays the same when the installation moves. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Path of the page with the same content, without a trailing slash. */
  readonly path: string;
  /** Query of both addresses, with its question mark. */
  readonly search?: string;
  /** Null for a feed that does not say where it is. */
  readonly self?: null;
  readonly updated: Date;
  readonly posts: readonly Post[];
}

/** Absolute URLs of a feed. */
interface FeedUrls {
  readonly page: string;
  readonly self: string | null;
  readonly post: (post: Post) => string;
}

/** Returns the latest posts of an open topic; null for any other id. */
export async function topicFeed(
  ctx: GuestContext,
  topicId: string,
  format: FeedFormat,
): Promise<PublicDocument | null> {
  const topic = await openTopic(ctx, topicId);
  if (!topic) return null;
  const { posts } = await community.listPosts(ctx, { topicId, sort: "new", limit: feedPosts, offset: 0 });
  // The topic's own list starts with pinned posts; a feed is sorted by time.
  const latest = posts.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  return writeFeed(ctx, format, {
    id: `urn:uuid:${topic.id}`,
    title: topic.title,
    description: topic.description ?? "",
    path: `/topics/${topic.id}`,
    updated: new Date(topic.updatedAt),
    posts: latest,
  });
}

/** Returns the latest posts of all open topics. */
export async function siteFeed(ctx: GuestContext, format: FeedFormat): Promise<PublicDocument> {
  const { posts } = await community.listFeed(ctx, { sort: "new", limit: feedPosts, offset: 0 });
  return writeFeed(ctx, format, {
    id: new URL("/", ctx.deployment.services.appUrl).href,
    // Feed readers send no language.
    title: t("common.name"),
    description: t("common.tagline"),
    path: "",
    updated: new Date(0),
    posts,
  });
}

/** What the address of a search's feed may ask for. */
const searchQuery = z.object({
  q: z.string().trim().min(1).max(LIMITS.search),
  author: contract.search.all.query.shape.author,
  topic: contract.search.all.query.shape.topicId,
});

/** Returns the latest of the posts that a guest finds; null for a search that is none, or in a topic that is not open. */
export async function searchFeed(ctx: GuestContext, query: URLSearchParams): Promise<PublicDocument | null> {
  const asked = searchQuery.safeParse(Object.fromEntries(query));
  if (!asked.success) return null;
  const { q, author, topic: topicId } = asked.data;
  if (topicId !== undefined && !(await openTopic(ctx, topicId))) return null;
  // All that a search ranks, and not the best of it: what is new must not miss the feed for its rank.
  const { posts } = await community.search(ctx, {
    ...{ q, match: "all", author, topicId },
    ...{ type: "posts", limit: CANDIDATES },
  });
  const search = new URLSearchParams(
    Object.entries(asked.data).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return writeFeed(ctx, "rss", {
    id: new URL(`/search?${search}`, ctx.deployment.services.appUrl).href,
    title: t("search.feedTitle", { q }),
    description: t("common.tagline"),
    path: "/search",
    search: `?${search}`,
    updated: new Date(0),
    posts: posts.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt)).slice(0, feedPosts),
  });
}

/** Returns the own feed of whoever has this address; null for any other. No cache keeps it. */
export async function privateFeed(ctx: GuestContext, token: string): Promise<PublicDocument | null> {
  const found = await community.readPrivateFeed(ctx, token, feedPosts);
  if (!found) return null;
  const document = writeFeed(ctx, "rss", {
    // Not the address: readers may share what they list.
    id: new URL("/?view=my", ctx.deployment.services.appUrl).href,
    title: t("feedAddress.feedTitle"),
    description: t("common.tagline"),
    path: "",
    search: "?view=my",
    self: null,
    updated: new Date(0),
    // Feed readers are services of others: they learn nothing that not everyone may read.
    posts: found.map(({ post, isOpen }) =>
      isOpen
        ? post
        : {
            ...post,
            title: t("feedAddress.closed"),
            summary: "",
            authorNickname: t("alerts.someone"),
            tags: [],
          },
    ),
  });
  return { ...document, seconds: 0 };
}

function writeFeed({ deployment }: GuestContext, format: FeedFormat, feed: Feed): PublicDocument {
  const absolute = (path: string) => new URL(path, deployment.services.appUrl).href;
  const times = feed.posts.map(({ updatedAt }) => Date.parse(updatedAt));
  const modified = new Date(Math.max(feed.updated.getTime(), ...times));
  const urls: FeedUrls = {
    page: absolute((feed.path || "/") + (feed.search ?? "")),
    self:
      feed.self === null
        ? null
        : absolute(`${feed.path}/${format === "rss" ? "feed" : "atom"}.xml${feed.search ?? ""}`),
    post: ({ id }) => absolute(`/posts/${id}`),
  };
  const body = (format === "rss" ? rss : atom)({ ...feed, updated: modified }, urls);
  return { contentType: `application/${format}+xml; charset=utf-8`, body, modified, seconds: feedSeconds };
}

/** Writes RSS 2.0. Readers parse descriptions as HTML, so their text is escaped. */
function rss(feed: Feed, urls: FeedUrls): string {
  const items = feed.posts.map(
    (post): XmlElements => ({
      title: post.title,
      link: urls.post(post),
      guid: { "@isPermaLink": "false", "#text": `urn:uuid:${post.id}` },
      pubDate: new Date(post.createdAt).toUTCString(),
      "dc:creator": post.authorNickname,
      category: post.tags.map(({ name }) => name),
      description: escapeHtml(post.summary),
    }),
  );
  return xmlDocument({
    rss: {
      "@version": "2.0",
      "@xmlns:atom": "http://www.w3.org/2005/Atom",
      "@xmlns:dc": "http://purl.org/dc/elements/1.1/",
      channel: {
        title: feed.title,
        link: urls.page,
        description: escapeHtml(feed.description),
        lastBuildDate: feed.updated.toUTCString(),
        ...(urls.self && {
          "atom:link": { "@rel": "self", "@type": "application/rss+xml", "@href": urls.self },
        }),
        item: items,
      },
    },
  });
}

/** Writes Atom 1.0 (RFC 4287), whose texts are plain by default. */
function atom(feed: Feed, urls: FeedUrls): string {
  const entries = feed.posts.map(
    (post): XmlElements => ({
      title: post.title,
      id: `urn:uuid:${post.id}`,
      link: { "@rel": "alternate", "@type": "text/html", "@href": urls.post(post) },
      published: post.createdAt,
      updated: post.updatedAt,
      author: { name: post.authorNickname },
      category: post.tags.map(({ name }) => ({ "@term": name })),
      summary: post.summary,
    }),
  );
  return xmlDocument({
    feed: {
      "@xmlns": "http://www.w3.org/2005/Atom",
      title: feed.title,
      subtitle: feed.description,
      id: feed.id,
      link: [
        { "@rel": "alternate", "@type": "text/html", "@href": urls.page },
        ...(urls.self ? [{ "@rel": "self", "@type": "application/atom+xml", "@href": urls.self }] : []),
      ],
      updated: feed.updated.toISOString(),
      entry: entries,
    },
  });
}
