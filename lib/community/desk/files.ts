import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { LoggedKind } from "@/lib/contract/desk";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { deskAccess } from "@/lib/policy/desk";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { notify } from "../notifications/notify";
import { decodeCursor, pageOf } from "../paging";
import { digestsOf, lockDigests } from "../uploads/digests";
import { topicPictures } from "../uploads/of-post";
import { noteRemoved } from "../uploads/removed";
import { removeUploads } from "../uploads/store";
import { lockUploads } from "../uploads/used";
import { type Effects, write } from "../write";
import { logOperatorAct } from "./log";

/*
 * An image is taken down by its bytes: it may be in posts, chats and comments, and the picture of accounts and topics,
 * under many addresses. All of those end, its owners' posts, topics and profiles no longer show it, and nobody can
 * upload it again. Texts that name an address keep it, and so do posts that were recorded on-chain, whose hash covers
 * their text.
 */

/** What an operator takes images down for. */
interface TakeDown {
  readonly digests: readonly string[];
  readonly reason: string;
  /** What the log names; null for the image itself. */
  readonly about: {
    readonly targetKind: LoggedKind;
    readonly targetId: string;
    readonly topicId: string | null;
  } | null;
}

interface TakenDown {
  /** Images that were blocked now. */
  readonly files: number;
  /** Keys for `removeUploads`, after the commit. */
  readonly keys: readonly string[];
}

/**
 * POST /api/desk/files: takes images down everywhere. Their files are gone before the response. What was taken down
 * before changes and logs nothing.
 * @throws Refusal operator_required, fresh_proof_required, report_not_found, upload_not_found
 */
export const takeFilesDown: Handler<typeof contract.desk.takeFilesDown> = async (
  ctx,
  { reportId, url, sha256, reason },
) => {
  assertAllowed(deskAccess(ctx.caller.operator).act);
  assertFreshProof(ctx);
  const found = reportId
    ? await reportedFiles(ctx, reportId)
    : { digests: sha256 ? [sha256] : await digestsAt(ctx, url ?? ""), about: null };
  if (found.digests.length === 0) throw new Refusal("upload_not_found");
  const { files, keys } = await write(ctx, async (trx, effects) => {
    const locked = await lockFiles(trx, found.digests);
    return await takeDownWithin(trx, effects, ctx, { ...found, reason }, locked);
  });
  await removeUploads(ctx, keys);
  return { success: true, files, uploads: keys.length };
};

async function digestsAt(ctx: MemberContext, url: string): Promise<string[]> {
  const key = ctx.storage.keyOf(url);
  return key ? await digestsOf(ctx, [key]) : [];
}

/**
 * Returns the digests of the images that a report shows, also of those that are gone, as far as they were known.
 * @throws Refusal report_not_found
 */
export async function reportedFiles(ctx: MemberContext, reportId: string) {
  const report = await ctx.db
    .selectFrom("desk_reports")
    .select(["kind", "target_id", "topic_id", "snapshot", "file_digests"])
    .where("id", "=", reportId)
    .executeTakeFirst();
  if (!report) throw new Refusal("report_not_found");
  const shown = await digestsOf(ctx, report.snapshot.files);
  return {
    digests: [...new Set([...report.file_digests, ...shown])],
    about: { targetKind: report.kind, targetId: report.target_id, topicId: report.topic_id },
  };
}

/** The copies of images, with everything that shows them, locked. */
interface LockedFiles {
  readonly keys: readonly string[];
  readonly owners: readonly string[];
}

/**
 * Locks the copies of images and what their owners show of them, in the order of all writes: posts, topics, users, then
 * uploads. Copies that come meanwhile go too, but what shows them keeps their dead addresses.
 */
export async function lockFiles(trx: Trx, digests: readonly string[]): Promise<LockedFiles> {
  const copies = await copiesOf(trx, digests);
  const keys = copies.map(({ key }) => key);
  const owners = [...new Set(copies.map(({ user_id }) => user_id))];
  await sql`select p.id from posts p where p.author_id = any(${owners}::text[]) and ${showsOne(keys, sql`p.content || ' ' || p.media::text`)}
    order by p.id for update`.execute(trx);
  await sql`select t.id from topics t where ${showsOne(keys, topicPictures)} order by t.id for no key update`.execute(
    trx,
  );
  await sql`select u.id from users u where u.id = any(${owners}::text[]) and ${showsOne(keys, sql`u.profile_image`)}
    order by u.id collate "C" for no key update`.execute(trx);
  await lockDigests(trx, digests);
  const now = (await copiesOf(trx, digests)).map(({ key }) => key);
  await lockUploads(trx, now);
  return { keys: now, owners };
}

async function copiesOf(trx: Trx, digests: readonly string[]) {
  if (digests.length === 0) return [];
  return await trx
    .selectFrom("uploads")
    .select(["key", "user_id"])
    .where("sha256", "in", [...digests])
    .execute();
}

/** SQL: whether a text has one of these keys. */
function showsOne(keys: readonly string[], text: ReturnType<typeof sql>) {
  return sql`exists (select from unnest(${[...keys]}::text[]) as one (key) where position(one.key in ${text}) > 0)`;
}

/** Blocks images, marks their locked copies as removed, logs that once and tells their owners. */
export async function takeDownWithin(
  trx: Trx,
  effects: Effects,
  { caller, now }: MemberContext,
  { digests, reason, about }: TakeDown,
  { keys, owners }: LockedFiles,
): Promise<TakenDown> {
  const at = now();
  const blocked = await trx
    .insertInto("blocked_files")
    .values(digests.map((sha256) => ({ sha256, reason, blocked_at: at, blocked_by: caller.userId })))
    .onConflict((conflict) => conflict.column("sha256").doNothing())
    .returning("id")
    .execute();
  const gone = await trx
    .updateTable("uploads")
    .set({ stored: false })
    .where("key", "in", [...keys, ""])
    .returning(["key", "user_id"])
    .execute();
  if (blocked.length === 0 && gone.length === 0) return { files: 0, keys: [] };
  for (const { key, user_id } of gone) await removeFromViews(trx, key, user_id);
  await noteRemoved(
    trx,
    gone.map(({ key }) => key),
    at,
  );
  const act = { actorId: caller.userId, now: at };
  const [first] = blocked;
  const target = about ?? {
    targetKind: "file" as const,
    targetId: first?.id ?? (await blockOf(trx, digests)),
    topicId: null,
  };
  await logOperatorAct(trx, {
    ...act,
    ...target,
    role: "operator",
    action: "files_taken_down",
    reason,
    details: { files: String(digests.length), uploads: String(gone.length) },
  });
  await notify(
    trx,
    effects,
    { ...act, topicId: null },
    owners.map((userId) => {
      const files = String(gone.filter(({ user_id }) => user_id === userId).length || 1);
      return { kind: "files_taken_down" as const, to: [userId], reason, details: { files } };
    }),
  );
  return { files: blocked.length, keys: gone.map(({ key }) => key) };
}

async function blockOf(trx: Trx, digests: readonly string[]): Promise<string> {
  const { id } = await trx
    .selectFrom("blocked_files")
    .select("id")
    .where("sha256", "in", [...digests])
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

/** Removes a picture from what its owner shows: posts that are not recorded, topics, and the profile. */
async function removeFromViews(trx: Trx, key: string, owner: string): Promise<void> {
  // Keys have no character with a meaning in a pattern but the dot.
  const tag = `<img[^>]*${key.replaceAll(".", "[.]")}[^>]*>`;
  await sql`update posts set content = regexp_replace(content, ${tag}, '', 'g'),
      media = jsonb_set(media, '{images}', (select coalesce(jsonb_agg(image), '[]'::jsonb)
        from jsonb_array_elements(media->'images') image where position(${key} in image::text) = 0))
    where author_id = ${owner} and record_count = 0
      and (position(${key} in content) > 0 or position(${key} in media::text) > 0)`.execute(trx);
  await sql`update topics set image = null where position(${key} in image) > 0`.execute(trx);
  await sql`update topics set banner = null where position(${key} in banner) > 0`.execute(trx);
  await sql`update users set profile_image = null
    where id = ${owner} and position(${key} in profile_image) > 0`.execute(trx);
}

/**
 * GET /api/desk/files: what nobody can upload, latest first.
 * @throws Refusal operator_required
 */
export const listBlockedFiles: Handler<typeof contract.desk.blockedFiles> = async ({ caller, db }, input) => {
  assertAllowed(deskAccess(caller.operator).act);
  const cursor = decodeCursor(input.cursor, { sort: "blocked", kind: "time" });
  const rows = await blocksBefore(db, cursor, input.limit + 1);
  const page = pageOf(rows, { ...input, sort: "blocked" });
  const files = page.rows.map(({ id, sha256, reason, key }) => ({
    id,
    sha256,
    reason,
    blockedAt: key.toISOString(),
  }));
  return { files, nextCursor: page.nextCursor };
};

async function blocksBefore(
  db: Db,
  cursor: { readonly key: number; readonly id: string } | null,
  limit: number,
) {
  return await db
    .selectFrom("blocked_files")
    .select(["id", "sha256", "reason", "blocked_at as key"])
    .$if(cursor !== null, (query) =>
      query.where(sql<boolean>`(blocked_at, id) < (${new Date(cursor?.key ?? 0)}, ${cursor?.id}::uuid)`),
    )
    .orderBy("blocked_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/**
 * DELETE /api/desk/files/{fileId}: lets an image be uploaded again.
 * @throws Refusal operator_required, upload_not_found
 */
export const unblockFile: Handler<typeof contract.desk.unblockFile> = async (ctx, { fileId, reason }) => {
  const { caller } = ctx;
  assertAllowed(deskAccess(caller.operator).act);
  await write(ctx, async (trx) => {
    const gone = await trx
      .deleteFrom("blocked_files")
      .where("id", "=", fileId)
      .returning("id")
      .executeTakeFirst();
    if (!gone) throw new Refusal("upload_not_found");
    await logOperatorAct(trx, {
      actorId: caller.userId,
      role: "operator",
      action: "file_unblocked",
      targetKind: "file",
      targetId: fileId,
      now: ctx.now(),
      reason,
    });
  });
  return { success: true };
};
