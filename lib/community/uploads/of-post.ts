import { sql } from "kysely";
import type { Context, Trx } from "../context";
import type { UploadContext } from "./store";

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
  const rows = await trx
    .updateTable("uploads")
    .set({ stored: false })
    .where(named(post))
    .$if(byAuthor, (query) => query.where(sql<boolean>`not ${usedElsewhere(post)}`))
    .returning("key")
    .execute();
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
