import * as community from "@/lib/community";
import type { Post } from "@/lib/contract";
import type { GuestContext, PublicDocument } from "@/lib/http/public-document";
import { openTopic } from "./open";
import { asHtml, type XmlElements, xmlDocument } from "./xml";

/** Posts of a feed, the latest. */
const feedPosts = 30;
/** Seconds a reader may keep a feed; what was hidden or closed since is gone for everybody after that. */
const feedSeconds = 300;

export type FeedFormat = "rss" | "atom";

/** What a feed tells, whichever way it is written. Addresses are absolute, texts plain. */
interface Feed {
  /** Never changes, wherever the installation moves. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The page that shows the same. */
  readonly page: string;
  /** The feed itself. */
  readonly self: string;
  readonly updated: Date;
  readonly posts: readonly Post[];
  /** Address of a post's page. */
  readonly pageOf: (post: Post) => string;
}

/** How the community presents itself. */
export interface SiteWords {
  readonly name: string;
  readonly tagline: string;
}

/** The latest posts of an open topic; null for any other id. */
export async function topicFeed(
  ctx: GuestContext,
  topicId: string,
  format: FeedFormat,
): Promise<PublicDocument | null> {
  const topic = await openTopic(ctx, topicId);
  if (!topic) return null;
  const { posts } = await community.listPosts(ctx, { topicId, sort: "new", limit: feedPosts, offset: 0 });
  // Pinned posts lead the topic's own list; in a feed every post has its time.
  const latest = posts.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  return written(ctx, format, latest, {
    id: `urn:uuid:${topic.id}`,
    title: topic.title,
    description: topic.description ?? "",
    path: `/topics/${topic.id}`,
    updated: new Date(topic.updatedAt),
  });
}

/** The latest posts of all open topics. */
export async function siteFeed(
  ctx: GuestContext,
  words: SiteWords,
  format: FeedFormat,
): Promise<PublicDocument> {
  const { posts } = await community.listFeed(ctx, { sort: "new", limit: feedPosts, offset: 0 });
  return written(ctx, format, posts, {
    id: new URL("/", ctx.deployment.services.appUrl).href,
    title: words.name,
    description: words.tagline,
    path: "",
    updated: new Date(0),
  });
}

interface About extends Pick<Feed, "id" | "title" | "description" | "updated"> {
  /** Of the page, without a slash at its end. */
  readonly path: string;
}

function written(
  { deployment }: GuestContext,
  format: FeedFormat,
  posts: readonly Post[],
  about: About,
): PublicDocument {
  const absolute = (path: string) => new URL(path, deployment.services.appUrl).href;
  const times = posts.map(({ updatedAt }) => Date.parse(updatedAt));
  const updated = new Date(Math.max(about.updated.getTime(), ...times));
  const feed: Feed = {
    ...about,
    page: absolute(about.path || "/"),
    self: absolute(`${about.path}/${format === "rss" ? "feed" : "atom"}.xml`),
    updated,
    posts,
    pageOf: (post) => absolute(`/posts/${post.id}`),
  };
  return {
    contentType: `application/${format}+xml; charset=utf-8`,
    body: format === "rss" ? rss(feed) : atom(feed),
    modified: updated,
    seconds: feedSeconds,
  };
}

/** RSS 2.0. Readers take a description as HTML, so its text is written as that. */
function rss(feed: Feed): string {
  const items = feed.posts.map(
    (post): XmlElements => ({
      title: post.title,
      link: feed.pageOf(post),
      guid: { "@isPermaLink": "false", "#text": `urn:uuid:${post.id}` },
      pubDate: new Date(post.createdAt).toUTCString(),
      "dc:creator": post.authorNickname,
      category: post.tags.map(({ name }) => name),
      description: asHtml(post.summary),
    }),
  );
  return xmlDocument({
    rss: {
      "@version": "2.0",
      "@xmlns:atom": "http://www.w3.org/2005/Atom",
      "@xmlns:dc": "http://purl.org/dc/elements/1.1/",
      channel: {
        title: feed.title,
        link: feed.page,
        description: asHtml(feed.description),
        lastBuildDate: feed.updated.toUTCString(),
        "atom:link": { "@rel": "self", "@type": "application/rss+xml", "@href": feed.self },
        item: items,
      },
    },
  });
}

/** Atom 1.0 (RFC 4287). Its texts are plain unless they say otherwise. */
function atom(feed: Feed): string {
  const entries = feed.posts.map(
    (post): XmlElements => ({
      title: post.title,
      id: `urn:uuid:${post.id}`,
      link: { "@rel": "alternate", "@type": "text/html", "@href": feed.pageOf(post) },
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
        { "@rel": "alternate", "@type": "text/html", "@href": feed.page },
        { "@rel": "self", "@type": "application/atom+xml", "@href": feed.self },
      ],
      updated: feed.updated.toISOString(),
      entry: entries,
    },
  });
}
