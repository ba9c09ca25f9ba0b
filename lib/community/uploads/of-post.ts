import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import { parseKey } from "@/lib/storage/keys";
import type { UploadContext } from "./store";
import { lockUploads } from "./used";

/** A post whose pictures are meant: those its author uploaded, in its text or its media. */
interface PicturedPost {
  readonly id: string;
  readonly author_id: string;
}

/** SQL: the author's files that this post names. */
const named = ({ id, author_id }: PicturedPost) => sql<boolean>`uploads.user_id = ${author_id} and exists (
  select from posts p where p.id = ${id}
    and (position(uploads.key in p.content) > 0 or position(uploads.key in p.media::text) > 0))`;

/** SQL: files that something else of their owner shows. */
const usedElsewhere = ({ id, author_id }: PicturedPost) => sql<boolean>`(exists (
    select from posts p where p.author_id = ${author_id} and p.id <> ${id} and p.deleted_at is null
      and (position(uploads.key in p.content) > 0 or position(uploads.key in p.media::text) > 0))
  or exists (select from topics t where position(uploads.key in t.image) > 0)
  or exists (select from users u where u.id = ${author_id} and position(uploads.key in u.profile_image) > 0))`;

/** Keys of the author's files that a locked post names. */
export async function picturesOf(trx: Trx, post: PicturedPost): Promise<string[]> {
  const rows = await trx.selectFrom("uploads").select("key").where(named(post)).execute();
  return rows.map(({ key }) => key);
}

/**
 * Marks the pictures of a post that is about to be emptied, so that whatever happens their files go: `removeUploads`
 * removes them once this is committed, or the sweep.
 * @param byAuthor true leaves what something else of theirs shows; what staff remove goes wherever it stands
 * @returns their keys
 */
export async function markPicturesRemoved(
  trx: Trx,
  post: PicturedPost,
  byAuthor: boolean,
): Promise<string[]> {
  const keys = await picturesOf(trx, post);
  await lockUploads(trx, keys);
  return await markGone(trx, post, keys, byAuthor);
}

/**
 * As `markPicturesRemoved`, of those that an edit took out of a post.
 * @param before what the post showed before it, all of them locked by `lockUploads`
 */
export async function markPicturesEditedOut(
  trx: Trx,
  post: PicturedPost,
  before: readonly string[],
  byAuthor: boolean,
): Promise<string[]> {
  if (before.length === 0) return [];
  const still = new Set(await picturesOf(trx, post));
  return await markGone(
    trx,
    post,
    before.filter((key) => !still.has(key)),
    byAuthor,
  );
}

/**
 * Asks what else shows them in a statement of its own, after they were locked: who was first in showing one is committed
 * by then, and who comes later waits for its row and finds it gone.
 */
async function markGone(
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

/** A topic that is about to go, with everything in it. */
interface PicturedTopic {
  readonly id: string;
  /** Key of its image, where that is an upload. */
  readonly imageKey: string | null;
}

/** A key wherever it stands in a text (lib/storage/keys.ts). */
const keyForm =
  "[a-z]{1,20}/(?:posts|topics|avatars)/[A-Za-z0-9_-]{1,80}/[0-9a-f-]{36}/[A-Za-z0-9_-]{1,60}[.](?:png|jpg|gif|webp)";

/**
 * Marks the pictures of a topic that is about to be deleted: its own, and those that authors of its posts uploaded for
 * them, as long as nothing else of theirs shows them. Whose account is gone cannot show them elsewhere.
 * @returns their keys
 */
export async function markTopicPicturesRemoved(trx: Trx, { id, imageKey }: PicturedTopic): Promise<string[]> {
  const owner = imageKey && parseKey(imageKey)?.userId;
  const shown = sql`
    select distinct p.author_id as user_id, found[1] as key
      from posts p, regexp_matches(p.content || ' ' || p.media::text, ${keyForm}, 'g') found
      where p.topic_id = ${id}
    union select ${owner}::text, ${imageKey}::text`;
  // Locked before what else shows them is asked, as in `markGone`.
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
      and not exists (select from topics t where t.id <> ${id} and position(u.key in t.image) > 0)
      and not exists (select from users x where x.id = u.user_id and position(u.key in x.profile_image) > 0)
    returning u.key`.execute(trx);
  return rows.map(({ key }) => key);
}

/** Takes the pictures of a post out of reach, or says that they are to come back; `moveWithheld` then moves their files. */
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

/** Moves files to where their rows say, until the row says the same afterwards: others may change it meanwhile. */
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

/** Finishes what was interrupted between a commit and its files. */
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
