import { setImmediate as yieldToRequests } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Context, MemberContext } from "@/lib/context";
import { LIMITS, type UploadType } from "@/lib/contract/limits";
import { type UploadPurpose, uploadSeconds } from "@/lib/contract/uploads";
import { Refusal } from "@/lib/errors";
import { newKey } from "@/lib/storage/keys";
import { carriedUploads } from "../trust/days";
import { assertNotBlocked, digestOf, lockDigests } from "./digests";
import { inspectAnnounced, inspectImage } from "./inspect";
import { isNotedRemoved } from "./removed";

export type UploadContext = Pick<Context, "db" | "storage" | "now">;

/** A file to store. */
interface Reserved {
  readonly key: string;
  readonly contentType: UploadType;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, hex; absent where they come later. */
  readonly sha256?: string;
}

/**
 * Writes the rows of files before the files, so that the sweep finds every file after a crash. The lock on the user's
 * row makes the sum of their files exact.
 * @throws Refusal upload_too_large if all files of the caller, and of accounts they withdrew today, would exceed `LIMITS.upload.stored`
 */
export async function reserveUploads(
  { caller, db, now }: MemberContext,
  files: readonly Reserved[],
  field: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom("users").select("id").where("id", "=", caller.userId).forUpdate().execute();
    const { bytes } = await trx
      .selectFrom("uploads")
      .select(({ fn }) => fn.sum<string | null>("size").as("bytes"))
      .where("user_id", "=", caller.userId)
      .executeTakeFirstOrThrow();
    const added = files.reduce((sum, { size }) => sum + size, 0);
    const carried = await carriedUploads(trx, caller.userId, now());
    if (Number(bytes ?? 0) + carried + added > LIMITS.upload.stored) {
      const limit = `${LIMITS.upload.stored / 1_000_000} MB`;
      throw new Refusal("upload_too_large", {
        field,
        message: `All your images together can have up to ${limit}. Delete some first.`,
      });
    }
    await trx
      .insertInto("uploads")
      .values(
        files.map(({ key, contentType, size, sha256 }) => ({
          key,
          user_id: caller.userId,
          content_type: contentType,
          size,
          sha256,
          created_at: now(),
        })),
      )
      .execute();
  });
}

/**
 * Stores images of the caller, all or none.
 * @returns their keys, in order
 * @throws Refusal upload_type, upload_too_large, upload_damaged, upload_blocked, with field `field`; then none is stored
 */
export async function storeImages(
  ctx: MemberContext,
  purpose: UploadPurpose,
  images: readonly Uint8Array[],
  field: string,
): Promise<string[]> {
  const { caller, db, storage } = ctx;
  const files: { key: string; contentType: UploadType; bytes: Buffer; sha256: string }[] = [];
  for (const image of images) {
    const { contentType, bytes } = await inspectImage(image, field);
    const key = newKey({ env: storage.env, purpose, userId: caller.userId, contentType });
    files.push({ key, contentType, bytes, sha256: digestOf(bytes) });
    await yieldToRequests();
  }
  if (files.length === 0) return [];
  const keys = files.map(({ key }) => key);
  const digests = files.map(({ sha256 }) => sha256);
  await assertNotBlocked(db, digests, field);
  const reserved = files.map(({ bytes, ...file }) => ({ ...file, size: bytes.length }));
  await reserveUploads(ctx, reserved, field);
  try {
    for (const { key, bytes, contentType } of files) await storage.put(key, bytes, contentType);
    await db.transaction().execute(async (trx) => {
      await lockDigests(trx, digests);
      await assertNotBlocked(trx, digests, field);
      await trx.updateTable("uploads").set({ stored: true }).where("key", "in", keys).execute();
    });
  } catch (error) {
    await removeUploads(ctx, keys);
    throw error;
  }
  return keys;
}

/**
 * Removes files and their rows. It marks the rows first and deletes them last, so that the sweep finishes an
 * interrupted removal. Files of legal holds are withheld instead.
 * @returns the number of files that were removed or withheld
 */
export async function removeUploads(
  { db, storage }: Pick<UploadContext, "db" | "storage">,
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  await sql`${lockedInOrder(keys, sql`true`)}
    update uploads set stored = false where key in (select key from locked)`.execute(db);
  const removed = await removeFiles({ db, storage }, keys);
  await sql`${lockedInOrder(keys, sql`not stored`)}
    delete from uploads where key in (select key from locked)`.execute(db);
  return removed;
}

/**
 * SQL: locks these rows in the order of their keys, as `lockUploads` does. A statement that changes several rows locks them
 * in the order in which it finds them, and two of them, or one and a takedown, could wait for each other.
 */
function lockedInOrder(keys: readonly string[], which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`with locked as materialized (
    select key from uploads where key = any(${[...keys]}::text[]) and ${which} order by key for update)`;
}

/**
 * Removes files without regard to their rows, and withholds those of legal holds instead. What a hold releases meanwhile
 * is removed with it (desk/held-files.ts).
 * @returns the number of files that were removed or withheld
 */
export async function removeFiles(
  { db, storage }: Pick<UploadContext, "db" | "storage">,
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  const rows = await db
    .selectFrom("held_files")
    .select("key")
    .distinct()
    .where("key", "in", [...keys])
    .execute();
  const held = new Set(rows.map(({ key }) => key));
  for (const key of held) await storage.withhold(key);
  return held.size + (await storage.remove(keys.filter((key) => !held.has(key))));
}

/** Removes unfinished uploads and marked files, an hour after their upload URL expired. */
export async function sweepUploads(ctx: UploadContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - (uploadSeconds + 3_600) * 1000);
  await removeMarked(ctx, sql<boolean>`created_at < ${before}`);
}

/**
 * Removes at any age what was taken down, or lost its owner, where the process died or the storage failed before the file
 * was gone.
 */
export async function sweepTakenDown(ctx: UploadContext): Promise<void> {
  await removeMarked(ctx, isNotedRemoved);
}

async function removeMarked({ db, storage }: UploadContext, which: RawBuilder<boolean>): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom("uploads")
      .select("key")
      .where("stored", "=", false)
      .where(which)
      .limit(100)
      .execute();
    if (rows.length === 0) return;
    await removeUploads(
      { db, storage },
      rows.map(({ key }) => key),
    );
  }
}

/**
 * Ensures that an upload exists and is what was announced. Uploads to a bucket are inspected here, when their URL is
 * first used.
 * @returns false if there is no such upload
 * @throws Refusal upload_type, upload_too_large, upload_damaged, upload_blocked, with field `field`, and removes the file
 */
export async function settleUpload(ctx: UploadContext, key: string, field: string): Promise<boolean> {
  const { db, storage } = ctx;
  const row = await db
    .selectFrom("uploads as f")
    .innerJoin("users as u", "u.id", "f.user_id")
    .select(["f.stored", "f.size", "f.content_type", "f.withheld"])
    .where("f.key", "=", key)
    .where("u.deleted_at", "is", null)
    .executeTakeFirst();
  if (!row || row.withheld) return false;
  if (row.stored) return true;
  const bytes = await storage.read(key);
  if (!bytes) return false;
  const discard = async (error: unknown) => {
    await removeUploads(ctx, [key]);
    throw error;
  };
  const image = await inspectAnnounced(bytes, row, field).catch(discard);
  const sha256 = digestOf(image.bytes);
  // Without metadata, and with our caching header, which the client could not be made to send.
  await storage.put(key, image.bytes, image.contentType);
  const settled = await db
    .transaction()
    .execute(async (trx) => {
      await lockDigests(trx, [sha256]);
      await assertNotBlocked(trx, [sha256], field);
      return await trx
        .updateTable("uploads")
        .set({ stored: true, size: image.bytes.length, sha256 })
        .where("key", "=", key)
        .executeTakeFirst();
    })
    .catch(discard);
  return settled.numUpdatedRows > 0n;
}
