import type { Metadata } from "next";
import { shorten } from "@/lib/html";

/** What the head of a page that anybody may find says. */
export interface OpenPage {
  readonly title: string;
  readonly description: string;
  /** Path of the page by its one name, without queries that only sort or turn it. */
  readonly path: string;
  /** Path of the picture for link previews. */
  readonly card: string;
  /** The feeds that tell what is new there: their path before `/feed.xml` and `/atom.xml`, and what they are called. */
  readonly feed?: { readonly path: string; readonly title: string };
  /** When it was written and changed, for posts (ISO 8601). */
  readonly article?: { readonly publishedTime: string; readonly modifiedTime: string };
}

/** How the site itself is named and described, and shown. */
export interface Site {
  readonly name: string;
  readonly tagline: string;
  readonly card: string;
  /** Where it is reached; every address of a head becomes absolute by it. */
  readonly url: string;
}

/** Longest description, as previews cut it. */
const longest = 200;

/**
 * Head of every page that does not say otherwise: no search engine keeps it, and a preview shows the site and not the
 * page. So a page that forgets to say what it is stays closed.
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

/** Head of a page that anybody may find. */
export function openHead(page: OpenPage, siteName: string): Metadata {
  const { title, path, card, feed, article } = page;
  const description = shorten(page.description, longest);
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
