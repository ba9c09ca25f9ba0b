import type { Metadata } from "next";
import { shorten } from "@/lib/html";

/** The head of a page that search engines may index. */
interface OpenPage {
  readonly title: string;
  readonly description: string;
  /** Canonical path of the page, without queries that only sort or page it. */
  readonly path: string;
  /** Path of the image for link previews. */
  readonly card: string;
  /** The page's feeds: their path before `/feed.xml` and `/atom.xml`, and their title. */
  readonly feed?: { readonly path: string; readonly title: string };
  /** For posts: when it was published and edited (ISO 8601). */
  readonly article?: { readonly publishedTime: string; readonly modifiedTime: string };
}

/** Name, description and preview image of the site. */
interface Site {
  readonly name: string;
  readonly tagline: string;
  readonly card: string;
  /** Base URL, which makes every URL of a head absolute. */
  readonly url: string;
}

/** Maximum length of a description. */
const maxDescription = 200;

/**
 * Makes the default head of all pages: search engines must not index them, and link previews show the site instead of the
 * page. A page stays private unless it opts in with `openHead`.
 */
export function siteHead({ name, tagline, card, url }: Site): Metadata {
  return {
    metadataBase: new URL(url),
    title: { default: name, template: `%s · ${name}` },
    description: tagline,
    applicationName: name,
    robots: { index: false, follow: true },
    openGraph: {
      siteName: name,
      type: "website",
      title: name,
      description: tagline,
      images: [picture(card, name)],
    },
    twitter: { card: "summary_large_image" },
  };
}

/** Makes the head of a page that search engines may index. */
export function openHead(page: OpenPage, siteName: string): Metadata {
  const { title, path, card, feed, article } = page;
  const description = shorten(page.description, maxDescription);
  const shown = { title, description, images: [picture(card, title)] };
  const kind = article ? { type: "article" as const, ...article } : { type: "website" as const };
  return {
    title,
    description,
    robots: { index: true, follow: true },
    alternates: { canonical: path, ...(feed && { types: feedTypes(feed) }) },
    openGraph: { ...shown, ...kind, url: path, siteName },
    twitter: { card: "summary_large_image", ...shown },
  };
}

function picture(card: string, alt: string) {
  return { url: card, width: 1_200, height: 630, alt, type: "image/png" };
}

function feedTypes({ path, title }: NonNullable<OpenPage["feed"]>) {
  return {
    "application/rss+xml": [{ url: `${path}/feed.xml`, title }],
    "application/atom+xml": [{ url: `${path}/atom.xml`, title }],
  };
}
