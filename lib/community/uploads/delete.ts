import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { parseKey } from "@/lib/storage/keys";
import { removeUploads } from "./store";

/**
 * DELETE /api/upload: files under the caller's own prefix go; addresses that are none of ours are skipped without a
 * word. One file of somebody else, and nothing is deleted. A profile image that goes leaves its owner without one. With
 * `unusedOnly` what a post of the caller's shows stays: a client that tidies up may not know what another of theirs sent.
 * @throws Refusal not_your_upload; post_recorded for what a post shows whose content is recorded on-chain
 */
export async function deleteUploads(
  ctx: MemberContext,
  { urls, unusedOnly }: HandlerInput<typeof contract.uploads.delete>,
): Promise<ResponseBody<typeof contract.uploads.delete>> {
  const { storage, caller, db } = ctx;
  const found = urls.map((url) => storage.keyOf(url)).filter((key) => key !== null);
  const keys = [...new Set(found)];
  if (keys.some((key) => parseKey(key)?.userId !== caller.userId)) {
    throw new Refusal("not_your_upload", { field: "urls" });
  }
  if (!unusedOnly && (await isRecorded(db, caller.userId, keys)))
    throw new Refusal("post_recorded", { field: "urls" });
  const going = unusedOnly ? await unshown(db, caller.userId, keys) : keys;
  if (going.length > 0) {
    const addresses = going.map((key) => storage.publicUrl(key));
    await db
      .updateTable("users")
      .set({ profile_image: null })
      .where("id", "=", caller.userId)
      .where("profile_image", "in", addresses)
      .execute();
  }
  const deleted = await removeUploads(ctx, going);
  const skipped = urls.length - found.length + (keys.length - going.length);
  return { attempted: going.length, deleted, skipped };
}

/** Whether a recorded post of the user's shows one of these files: its hash is of a text that names them. */
async function isRecorded(db: Db, userId: string, keys: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from uploads f join posts p on p.author_id = f.user_id
    where f.key in (${sql.join([...keys, ""])}) and p.author_id = ${userId} and p.deleted_at is null
      and p.record_count > 0
      and (position(f.key in p.content) > 0 or position(f.key in p.media::text) > 0)
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Those of a user's files that none of their posts names, in text or media. */
async function unshown(db: Db, userId: string, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select f.key from uploads f where f.key in (${sql.join([...keys, ""])}) and not exists (
      select from posts p where p.author_id = ${userId} and p.deleted_at is null
        and (position(f.key in p.content) > 0 or position(f.key in p.media::text) > 0))`.execute(db);
  return rows.map(({ key }) => key);
}
