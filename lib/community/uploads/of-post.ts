import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import { parseKey } from "@/lib/storage/keys";
import type { UploadContext } from "./store";
import { lockUploads } from "./used";

/** A post, for its pictures: those that its author uploaded, in its text or media. */
interface PicturedPost {
  readonly id: string;
  readonly author_id: string;
}

/** SQL: the author's uploads that this post shows. */
const named = ({ id, author_id }: PicturedPost) => sql<boolean>`uploads.user_id = ${author_id} and exists (
  select from posts p where p.id = ${id}
    and (position(uploads.key in p.content) > 0 or position(uploads.key in p.media::text) > 0))`;

/** SQL: the pictures of a topic `t`, in one text. */
export const topicPictures = sql`concat_ws(' ', t.image, t.banner)`;

/** SQL: uploads that something else of their owner shows. */
const usedElsewhere = ({ id, author_id }: PicturedPost) => sql<boolean>`(exists (
    select from posts p where p.author_id = ${author_id} and p.id <> ${id} and p.deleted_at is null
      and (position(uploads.key in p.content) > 0 or position(uploads.key in p.media::text) > 0))
  or exists (select from topics t where position(uploads.key in ${topicPictures}) > 0)
  or exists (select from users u where u.id = ${author_id} and position(uploads.key in u.profile_image) > 0))`;

/** Returns the keys of the author's uploads that a locked post shows. */
export async function picturesOf(trx: Trx, post: PicturedPost): Promise<string[]> {
  const rows = await trx.selectFrom("uploads").select("key").where(named(post)).execute();
  return rows.map(({ key }) => key);
}

/**
 * Marks the pictures of a post that is about to be emptied. `removeUploads` or the sweep removes them later.
 * @param byAuthor keeps pictures that something else of theirs shows. Pictures that staff remove go in any case
 * @returns their keys
 */
export async function markPicturesRemoved(
  trx: Trx,
  post: PicturedPost,
  byAuthor: boolean,
): Promise<string[]> {
  const keys = await picturesOf(trx, post);
  await lockUploads(trx, keys);
  return await markRemoved(trx, post, keys, byAuthor);
}

/**
 * As `markPicturesRemoved`, for pictures that an edit removes from a post.
 * @param before keys of the pictures before the edit, all locked by `lockUploads`
 */
export async function markPicturesEditedOut(
  trx: Trx,
  post: PicturedPost,
  before: readonly string[],
  byAuthor: boolean,
): Promise<string[]> {
  if (before.length === 0) return [];
  const still = new Set(await picturesOf(trx, post));
  return await markRemoved(
    trx,
    post,
    before.filter((key) => !still.has(key)),
    byAuthor,
  );
}

/**
 * Marks locked uploads as removed. It checks what else shows them in a statement after the one that locked them: an
 * earlier write that shows one is committed by then, and a later one waits for the row and finds it gone.
 */
async function markRemoved(
  trx: Trx,
  post: PicturedPost,
  keys: readonly string[],
  byAuthor: boolean,
): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await trx
    .updateTable("uploads")
    .set({ stored: false })
    .where("key", "in", keys)
    .$if(byAuthor, (query) => query.where(sql<boolean>`not ${usedElsewhere(post)}`))
    .returning("key")
    .execute();
  return rows.map(({ key }) => key);
}

/** A topic that is about to be deleted. */
interface PicturedTopic {
  readonly id: string;
  /** Keys of its own pictures, as far as those are uploads. */
  readonly own: readonly string[];
}

/** Matches a key in a text (lib/storage/keys.ts). */
export const KEY_PATTERN =
  "[a-z]{1,20}/(?:posts|topics|avatars)/[A-Za-z0-9_-]{1,80}/[0-9a-f-]{36}/[A-Za-z0-9_-]{1,60}[.](?:png|jpg|gif|webp)";

/**
 * Marks the pictures of a topic that is about to be deleted: its own, and those that the authors of its posts
 * uploaded, unless something else of theirs shows them. Withdrawn accounts cannot show them elsewhere.
 * @returns their keys
 */
export async function markTopicPicturesRemoved(trx: Trx, { id, own }: PicturedTopic): Promise<string[]> {
  const owned = own.map((key) => ({ key, user_id: parseKey(key)?.userId ?? null }));
  const shown = sql`
    select distinct p.author_id as user_id, found[1] as key
      from posts p, regexp_matches(p.content || ' ' || p.media::text, ${KEY_PATTERN}, 'g') found
      where p.topic_id = ${id}
    union select user_id, key from jsonb_to_recordset(${JSON.stringify(owned)}::jsonb) as own (user_id text, key text)`;
  // Locked before checking what else shows them, as in `markRemoved`.
  const named = await sql<{ key: string | null }>`select distinct key from (${shown}) shown`.execute(trx);
  await lockUploads(
    trx,
    named.rows.flatMap(({ key }) => key ?? []),
  );
  const { rows } = await sql<{ key: string }>`
    with named as (${shown})
    update uploads u set stored = false
    where u.key in (select named.key from named
        join users owner on owner.id = u.user_id
        where named.key = u.key and (named.user_id = u.user_id or owner.deleted_at is not null))
      and not exists (select from posts p where p.author_id in (select n.user_id from named n where n.key = u.key)
        and p.topic_id <> ${id} and p.deleted_at is null
        and (position(u.key in p.content) > 0 or position(u.key in p.media::text) > 0))
      and not exists (select from topics t where t.id <> ${id} and position(u.key in ${topicPictures}) > 0)
      and not exists (select from users x where x.id = u.user_id and position(u.key in x.profile_image) > 0)
    returning u.key`.execute(trx);
  return rows.map(({ key }) => key);
}

/** Marks the pictures of a post as withheld or restored; `moveWithheld` moves their files. @returns their keys */
export async function markPicturesWithheld(
  trx: Trx,
  post: PicturedPost,
  withheld: boolean,
): Promise<string[]> {
  const rows = await trx
    .updateTable("uploads")
    .set({ withheld, moving: true })
    .where("stored", "=", true)
    .where(named(post))
    .returning("key")
    .execute();
  return rows.map(({ key }) => key);
}

/** Moves files to where their rows say, and repeats that if a row changed in the meantime. */
export async function moveWithheld(
  { db, storage }: Pick<UploadContext, "db" | "storage">,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    for (let moving = true; moving; ) {
      const row = await db
        .selectFrom("uploads")
        .select("withheld")
        .where("key", "=", key)
        .where("moving", "=", true)
        .executeTakeFirst();
      if (!row) break;
      await (row.withheld ? storage.withhold(key) : storage.restore(key));
      const { numUpdatedRows } = await db
        .updateTable("uploads")
        .set({ moving: false })
        .where("key", "=", key)
        .where("withheld", "=", row.withheld)
        .executeTakeFirst();
      moving = numUpdatedRows === 0n;
    }
  }
}

/** Finishes moves that were interrupted after the commit. */
export async function sweepWithheld(ctx: Pick<Context, "db" | "storage">): Promise<void> {
  const rows = await ctx.db
    .selectFrom("uploads")
    .select("key")
    .where("moving", "=", true)
    .limit(1_000)
    .execute();
  await moveWithheld(
    ctx,
    rows.map(({ key }) => key),
  );
}
