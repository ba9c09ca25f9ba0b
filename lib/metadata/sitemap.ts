import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import type { Context } from "@/lib/context";
import type { PublicDocument } from "@/lib/http/public-document";
import { isOpenPost, isOpenTopic } from "./open";
import { type XmlElements, xmlDocument } from "./xml";

/** Maximum URLs of one sitemap (sitemaps.org). */
const maxUrls = 50_000;
/** Target URLs per part: far enough below `maxUrls` that random variation does not reach it. */
const targetUrls = 10_000;
/** Seconds that a crawler may cache a sitemap. */
const sitemapSeconds = 3_600;
/** Pages that always exist. */
const fixedPages = ["/", "/topics", "/about", "/how-it-works", "/privacy", "/terms", "/docs"];

type Ctx = Pick<Context, "db" | "deployment">;
type Kind = "topics" | "posts";

/** A range of ids, which are random: parts of a sitemap have fixed boundaries and need only the primary key. */
interface Range {
  readonly from: string;
  /** Exclusive; null for the last range. */
  readonly to: string | null;
}

/** GET /sitemap.xml: all URLs if they fit into one part, otherwise the list of parts. */
export async function sitemap(ctx: Ctx, size = targetUrls): Promise<PublicDocument> {
  const [topics, posts] = [await digits(ctx.db, "topics", size), await digits(ctx.db, "posts", size)];
  if (topics === 0 && posts === 0) {
    const urls = [fixed(ctx), await topicUrls(ctx, rangeOf("")), await postUrls(ctx, rangeOf(""))];
    return urlSet(urls.flat());
  }
  const names = ["pages", ...prefixes(topics).map(named("topics")), ...prefixes(posts).map(named("posts"))];
  return documentOf({
    sitemapindex: {
      "@xmlns": namespace,
      sitemap: names.map((name) => ({ loc: absolute(ctx, `/sitemaps/${name}`) })),
    },
  });
}

/** GET /sitemaps/{part}: `pages`, or `topics` or `posts` with a prefix of their ids; null for other names. */
export async function sitemapPart(ctx: Ctx, part: string): Promise<PublicDocument | null> {
  if (part === "pages") return urlSet(fixed(ctx));
  const [, kind, prefix = ""] = /^(topics|posts)(?:-([0-9a-f]{1,4}))?$/.exec(part) ?? [];
  if (!kind) return null;
  const range = rangeOf(prefix);
  return urlSet(await (kind === "topics" ? topicUrls(ctx, range) : postUrls(ctx, range)));
}

const named = (kind: Kind) => (prefix: string) => (prefix ? `${kind}-${prefix}` : kind);

function rangeOf(prefix: string): Range {
  const first = prefix.padEnd(8, "0");
  const next = Number.parseInt(first, 16) + 16 ** (8 - prefix.length);
  const id = (start: string) => `${start}-0000-0000-0000-000000000000`;
  return { from: id(first), to: next < 16 ** 8 ? id(next.toString(16).padStart(8, "0")) : null };
}

function prefixes(count: number): string[] {
  if (count === 0) return [""];
  return Array.from({ length: 16 ** count }, (_, i) => i.toString(16).padStart(count, "0"));
}

/**
 * Returns how many leading digits of the id split a table into ranges of about `size` rows, at most four. Estimates the
 * row count from a 256th of the table, since counting all rows gets slower as it grows.
 */
async function digits(db: Db, table: Kind, size: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from ${sql.table(table)} as t where ${within("t.id", rangeOf("00"))} limit ${size * 256}) as sample`.execute(
    db,
  );
  const totalRows = (rows[0]?.count ?? 0) * 256;
  let found = 0;
  while (found < 4 && totalRows / 16 ** found > size) found += 1;
  return found;
}

function within(column: string, { from, to }: Range): RawBuilder<unknown> {
  const id = sql.ref(column);
  return sql`${id} >= ${from}::uuid ${to === null ? sql`` : sql`and ${id} < ${to}::uuid`}`;
}

function fixed(ctx: Ctx): XmlElements[] {
  return fixedPages.map((path) => urlOf(ctx, path));
}

async function topicUrls(ctx: Ctx, range: Range): Promise<XmlElements[]> {
  const { rows } = await sql<{ id: string; visibility: Visibility; modified: Date }>`
    select t.id, t.visibility, greatest(t.updated_at, t.last_activity_at) as modified from topics t
    where t.visibility = 'public' and ${within("t.id", range)}
    order by t.id limit ${maxUrls}`.execute(ctx.db);
  return rows.filter(isOpenTopic).map(({ id, modified }) => urlOf(ctx, `/topics/${id}`, modified));
}

interface PostRow {
  readonly id: string;
  readonly visibility: Visibility;
  readonly deleted: boolean;
  readonly hidden: boolean;
  readonly modified: Date;
}

async function postUrls(ctx: Ctx, range: Range): Promise<XmlElements[]> {
  const { rows } = await sql<PostRow>`
    select p.id, (select t.visibility from topics t where t.id = p.topic_id) as visibility, p.deleted_at is not null as deleted, p.hidden_at is not null as hidden,
      greatest(p.updated_at, p.last_activity_at) as modified
    from posts p
    where p.is_public and p.deleted_at is null and p.hidden_at is null and ${within("p.id", range)}
    order by p.id limit ${maxUrls}`.execute(ctx.db);
  return rows.filter(isOpenPost).map(({ id, modified }) => urlOf(ctx, `/posts/${id}`, modified));
}

function urlOf(ctx: Ctx, path: string, modified?: Date): XmlElements {
  return { loc: absolute(ctx, path), lastmod: modified?.toISOString() };
}

const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

function urlSet(urls: readonly XmlElements[]): PublicDocument {
  return documentOf({ urlset: { "@xmlns": namespace, url: urls.slice(0, maxUrls) } });
}

function documentOf(root: XmlElements): PublicDocument {
  return { contentType: "application/xml; charset=utf-8", body: xmlDocument(root), seconds: sitemapSeconds };
}

function absolute({ deployment }: Ctx, path: string): string {
  return new URL(path, deployment.services.appUrl).href;
}
