import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { UploadContext } from "../uploads/store";

/** What stands in the place of a withdrawn user's name; no nickname can be spelled like it. */
export const withdrawnName = "[withdrawn]";

/**
 * What stays with the withdrawn account's own row and its id: sanctions, so that nobody sheds one by withdrawing; the log
 * of a topic's staff, whose hashes cover the ids; and files whose key names it, the profile images that are to be removed
 * and the pictures of posts that were recorded on-chain.
 */
const kept: ReadonlySet<string> = new Set([
  "sanctions.user_id",
  "removals.user_id",
  "topic_identities.user_id",
  "remembered_identities.user_id",
  "moderation_log.actor_id",
  "moderation_log.subject_id",
  "uploads.user_id",
]);

/** A picture under its old and its new key. */
export interface MovedPicture {
  readonly from: string;
  readonly to: string;
}

/** An id that nothing leads to: user ids are made from identities, and can be guessed by whoever has the key. */
export function randomUserId(): string {
  return `u_${randomBytes(16).toString("hex")}`;
}

/**
 * Copies the pictures of a user's posts and topics to keys that name `to` instead. Before the transaction: a bucket may
 * be slow. Whatever is not taken over by `takeOver` must be removed again.
 */
export async function copyPictures(
  { db, storage }: Pick<UploadContext, "db" | "storage">,
  from: string,
  to: string,
): Promise<MovedPicture[]> {
  const rows = await db
    .selectFrom("uploads")
    .select(["key", "content_type"])
    .where("user_id", "=", from)
    .where("stored", "=", true)
    .where(sql<string>`split_part(key, '/', 2)`, "!=", "avatars")
    .where(isUnrecorded(from))
    .execute();
  const copied: MovedPicture[] = [];
  for (const { key, content_type } of rows) {
    const bytes = await storage.read(key);
    if (!bytes) continue;
    const moved = { from: key, to: key.replace(from, to) };
    await storage.put(moved.to, bytes, content_type);
    copied.push(moved);
  }
  return copied;
}

/** SQL: no post that was recorded on-chain shows this upload. The text of such a post must stay as it is. */
function isUnrecorded(userId: string) {
  return sql<boolean>`not exists (select from posts p where p.author_id = ${userId} and p.record_count > 0
    and (position(uploads.key in p.content) > 0 or position(uploads.key in p.media::text) > 0))`;
}

/** Takes the posts a user wrote or commented on, before topics and the user's own row (order of locks). */
export async function lockPostsOf(trx: Trx, userId: string): Promise<void> {
  await sql`select id from posts where author_id = ${userId}
    or id in (select post_id from comments where author_id = ${userId})
    order by id for no key update`.execute(trx);
}

/**
 * Gives everything that remains of `from` to a withdrawn account under the random id `to`, which nothing connects with
 * it: neither a row nor a moment.
 * @returns the pictures that lie under their new keys from now on
 */
export async function takeOver(
  trx: Trx,
  from: string,
  to: string,
  copied: readonly MovedPicture[],
): Promise<MovedPicture[]> {
  await trx
    .insertInto("users")
    .values({
      id: to,
      identity_hash: null,
      nickname: withdrawnName,
      nickname_key: `${withdrawnName} ${to}`,
      nickname_set: false,
      profile_image: null,
      created_at: new Date(0),
      deleted_at: new Date(0),
    })
    .execute();
  const moved: MovedPicture[] = [];
  for (const picture of copied) {
    const renamed = await trx
      .updateTable("uploads")
      .set({ key: picture.to, user_id: to })
      .where("key", "=", picture.from)
      .where("stored", "=", true)
      .where(isUnrecorded(from))
      .executeTakeFirst();
    if (renamed.numUpdatedRows > 0n) moved.push(picture);
  }
  for (const picture of moved) await renameIn(trx, from, picture);
  for (const { table, column } of await referencesToUsers(trx)) {
    if (kept.has(`${table}.${column}`)) continue;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(column)} = ${from}`.execute(
      trx,
    );
  }
  return moved;
}

/** Writes a picture's new key where its owner's texts have the old one. */
async function renameIn(trx: Trx, userId: string, { from, to }: MovedPicture): Promise<void> {
  await sql`update posts set content = replace(content, ${from}, ${to}),
      media = replace(media::text, ${from}, ${to})::jsonb
    where author_id = ${userId} and record_count = 0
      and (position(${from} in content) > 0 or position(${from} in media::text) > 0)`.execute(trx);
  await sql`update topics set image = replace(image, ${from}, ${to}) where position(${from} in image) > 0`.execute(
    trx,
  );
  await sql`update comments set content = replace(content, ${from}, ${to})
    where author_id = ${userId} and position(${from} in content) > 0`.execute(trx);
  await sql`update chat_messages set message = replace(message, ${from}, ${to})
    where user_id = ${userId} and position(${from} in message) > 0`.execute(trx);
}

/** Every column that refers to a user, as the database itself knows them: a table added later is not forgotten. */
async function referencesToUsers(trx: Trx): Promise<readonly { table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select referring.relname as table, attribute.attname as column
    from pg_constraint c
    join pg_class referring on referring.oid = c.conrelid
    join pg_attribute attribute on attribute.attrelid = c.conrelid and attribute.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass and cardinality(c.conkey) = 1
    order by 1, 2`.execute(trx);
  return rows;
}
