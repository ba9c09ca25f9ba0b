import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import { topicPictures } from "../uploads/of-post";
import type { UploadContext } from "../uploads/store";

/** The name of withdrawn users. It is not a valid nickname. */
export const WITHDRAWN_NAME = "[withdrawn]";

/**
 * Columns that keep the id of the withdrawn account: sanctions, so that nobody escapes one by withdrawing; the logs
 * of topics and of the installation, whose hashes cover the ids; and files with the id in their key, which are profile images that are about to be
 * removed and pictures of posts that were recorded on-chain.
 */
const KEPT: ReadonlySet<string> = new Set([
  "sanctions.user_id",
  "removals.user_id",
  "topic_identities.user_id",
  "remembered_identities.user_id",
  "moderation_log.actor_id",
  "moderation_log.subject_id",
  "installation_log.actor_id",
  "account_sanctions.user_id",
  "uploads.user_id",
]);

/** A picture under its old and its new key. */
export interface MovedPicture {
  readonly from: string;
  readonly to: string;
  /** Whether the copy is withheld. */
  readonly withheld: boolean;
}

/** Returns an id that nothing leads to. Other user ids derive from identities, so those with the key can guess them. */
export function randomUserId(): string {
  return `u_${randomBytes(16).toString("hex")}`;
}

/**
 * Copies the pictures that a user's posts and topics show to keys with `to` instead. Call it before the transaction, since a
 * bucket may be slow, and remove the copies that `moveContent` does not use.
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
    .where("used", "=", true)
    .where(sql<string>`split_part(key, '/', 2)`, "!=", "avatars")
    .where(isUnrecorded(from))
    .execute();
  const copied: MovedPicture[] = [];
  for (const { key, content_type } of rows) {
    const moved = { from: key, to: key.replace(from, to) };
    const shown = await storage.read(key);
    const bytes = shown ?? (await storage.readWithheld(key));
    if (!bytes) continue;
    await storage.put(moved.to, bytes, content_type);
    // Of a hidden post. `moveContent` notices if staff showed it, or hid another one, meanwhile.
    if (!shown) await storage.withhold(moved.to);
    copied.push({ ...moved, withheld: shown === null });
  }
  return copied;
}

/** SQL: no post that was recorded on-chain shows this upload. The text of such a post must not change. */
function isUnrecorded(userId: string) {
  return sql<boolean>`not exists (select from posts p where p.author_id = ${userId} and p.record_count > 0
    and (position(uploads.key in p.content) > 0 or position(uploads.key in p.media::text) > 0))`;
}

/** Locks the posts that a user wrote or commented on. Call it before locking topics and users (lock order). */
export async function lockPostsOf(trx: Trx, userId: string): Promise<void> {
  await sql`select id from posts where author_id = ${userId}
    or id in (select post_id from comments where author_id = ${userId})
    order by id for update`.execute(trx);
}

/**
 * Moves all content of `from` to a withdrawn account with the random id `to`. No row and no time connects the two.
 * @returns the pictures that now have their new keys
 */
export async function moveContent(
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
      nickname: WITHDRAWN_NAME,
      nickname_key: `${WITHDRAWN_NAME} ${to}`,
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
      .set({
        key: picture.to,
        user_id: to,
        moving: sql<boolean>`moving or withheld is distinct from ${picture.withheld}::boolean`,
      })
      .where("key", "=", picture.from)
      .where("stored", "=", true)
      .where(isUnrecorded(from))
      .executeTakeFirst();
    if (renamed.numUpdatedRows > 0n) moved.push(picture);
  }
  for (const picture of moved) await renameIn(trx, from, picture);
  await renameInReports(trx, from, to);
  for (const { table, column } of await referencesToUsers(trx)) {
    if (KEPT.has(`${table}.${column}`)) continue;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(column)} = ${from}`.execute(
      trx,
    );
  }
  return moved;
}

/** Replaces a picture's old key in its owner's texts. */
async function renameIn(trx: Trx, userId: string, { from, to }: MovedPicture): Promise<void> {
  await sql`update posts set content = replace(content, ${from}, ${to}),
      media = replace(media::text, ${from}, ${to})::jsonb
    where author_id = ${userId} and record_count = 0
      and (position(${from} in content) > 0 or position(${from} in media::text) > 0)`.execute(trx);
  await sql`update topics t set image = replace(image, ${from}, ${to}), banner = replace(banner, ${from}, ${to})
    where position(${from} in ${topicPictures}) > 0`.execute(trx);
  await sql`update comments set content = replace(content, ${from}, ${to})
    where author_id = ${userId} and position(${from} in content) > 0`.execute(trx);
  await sql`update chat_messages set message = replace(message, ${from}, ${to})
    where user_id = ${userId} and position(${from} in message) > 0`.execute(trx);
}

/** Replaces the id in copies that reports keep, where the keys of pictures have it. */
async function renameInReports(trx: Trx, from: string, to: string): Promise<void> {
  for (const table of ["reports", "desk_reports"] as const) {
    await sql`update ${sql.table(table)} set snapshot = replace(snapshot::text, ${from}, ${to})::jsonb
      where subject_id = ${from} and snapshot is not null`.execute(trx);
  }
}

/** Returns every column that refers to a user, from the database's catalog, so that new tables are included. */
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
