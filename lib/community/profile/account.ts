import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import { Refusal } from "@/lib/errors";
import type { MemberSessionContext } from "@/lib/session/context";
import { freeNickname } from "@/lib/session/nickname";
import { topicScoreLater } from "../topics/score";
import { removeUploads } from "../uploads/store";
import { write } from "../write";
import { returnForcedTopics } from "./forced-topics";
import { assertFreshProof } from "./fresh-proof";
import { keepIdentities } from "./identities";
import {
  copyPictures,
  lockPostsOf,
  type MovedPicture,
  randomUserId,
  takeOver,
  withdrawnName,
} from "./pseudonym";

/**
 * DELETE /api/account. Posts, comments and chat messages stay under "[withdrawn]" and a random author id, images in them
 * under addresses with that id; the identity is cut off, so that the next sign-in with it makes a stranger; every
 * session ends; profile images are removed. What is kept under the old id: the identity in topics where a mute, a ban, or
 * the wait after a removal or rejection is in force, as long as it is, so that nobody leaves one behind by withdrawing. A topic that was handed to them, and in which
 * they did nothing since, goes back to who handed it over.
 * @throws Refusal fresh_proof_required; owns_topics, whose body lists them
 */
export async function deleteAccount(ctx: MemberSessionContext) {
  const { caller, session } = ctx;
  assertFreshProof(ctx);
  const { userId } = caller;
  const pseudonym = randomUserId();
  const copied = await copyPictures(ctx, userId, pseudonym);
  let moved: readonly MovedPicture[] = [];
  const left = await write(ctx, async (trx, effects) => {
    // Posts and topics before users, as everywhere: whoever writes into a topic holds it when its author's row is
    // looked at.
    await lockPostsOf(trx, userId);
    await lockTopicsOf(trx, userId);
    const tellOwners = await returnForcedTopics(trx, effects, userId, ctx.now());
    await assertOwnsNothing(trx, userId);
    await keepIdentities(trx, userId, ctx.now());
    await freeNickname(trx, userId, null, ctx.now());
    const gone = await trx
      .updateTable("users")
      .set({
        identity_hash: null,
        nickname: withdrawnName,
        nickname_key: `${withdrawnName} ${userId}`,
        nickname_set: false,
        nickname_skeleton: null,
        profile_image: null,
        // No moment that the account of what remains could be told by.
        deleted_at: new Date(0),
      })
      .where("id", "=", userId)
      .where("deleted_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (!gone) throw new Refusal("not_authenticated", { message: "This account was already deleted." });
    await forget(trx, userId);
    const topicIds = await leaveTopics(trx, userId);
    await tellOwners();
    await forgetInbox(trx, userId);
    moved = await takeOver(trx, userId, pseudonym, copied);
    effects.publish({ kind: "access", userId });
    return topicIds;
  }).finally(() => removePicturesLater(ctx, copied, moved));
  session.clear();
  for (const topicId of left) topicScoreLater(ctx, topicId);
  ctx.later("files of a withdrawn account", async () => {
    const rows = await ctx.db
      .selectFrom("uploads")
      .select("key")
      .where("user_id", "=", userId)
      .where("stored", "=", false)
      .execute();
    await removeUploads(
      ctx,
      rows.map(({ key }) => key),
    );
  });
  return { success: true as const };
}

/** Files that no row names any more: the old ones of pictures that moved, the copies of those that did not. */
function removePicturesLater(
  ctx: MemberSessionContext,
  copied: readonly MovedPicture[],
  moved: readonly MovedPicture[],
): void {
  if (copied.length === 0) return;
  const keys = copied.map((picture) => (moved.includes(picture) ? picture.from : picture.to));
  ctx.later("pictures under the old addresses of a withdrawn account", async () => {
    await ctx.storage.remove(keys);
  });
}

async function lockTopicsOf(trx: Trx, userId: string): Promise<void> {
  await trx
    .selectFrom("topics")
    .select("id")
    .where("id", "in", (eb) => eb.selectFrom("memberships").select("topic_id").where("user_id", "=", userId))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

/** @throws Refusal owns_topics */
async function assertOwnsNothing(trx: Trx, userId: string): Promise<void> {
  const topics = await trx
    .selectFrom("memberships as m")
    .innerJoin("topics as t", "t.id", "m.topic_id")
    .select(["t.id", "t.title"])
    .where("m.user_id", "=", userId)
    .where("m.role", "=", "owner")
    .orderBy("t.created_at")
    .orderBy("t.id")
    .execute();
  if (topics.length > 0) throw new Refusal("owns_topics", { extra: { topics } });
}

/** Rows of this person, and nobody's content. */
const personal = [
  "verifications",
  "domain_badges",
  "bookmarks",
  "challenges",
  "idempotency_keys",
  "proof_requests",
  "push_subscriptions",
  "sessions",
  "mentions",
  "chat_connections",
] as const;

async function forget(trx: Trx, userId: string): Promise<void> {
  for (const table of personal) await trx.deleteFrom(table).where("user_id", "=", userId).execute();
  await trx
    .deleteFrom("join_requests")
    .where("user_id", "=", userId)
    .where("status", "=", "pending")
    .execute();
  // Marked here, removed afterwards; what a crash leaves is found by the mark.
  await trx
    .updateTable("uploads")
    .set({ stored: false })
    .where("user_id", "=", userId)
    .where(sql<string>`split_part(key, '/', 2)`, "=", "avatars")
    .execute();
}

/** Inboxes last of all, as everywhere. */
async function forgetInbox(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom("inboxes").select("user_id").where("user_id", "=", userId).forUpdate().execute();
  await trx.deleteFrom("notifications").where("user_id", "=", userId).execute();
  await trx.deleteFrom("inboxes").where("user_id", "=", userId).execute();
}

/** @returns the topics that were left */
async function leaveTopics(trx: Trx, userId: string): Promise<string[]> {
  const ended = await trx
    .deleteFrom("memberships")
    .where("user_id", "=", userId)
    .returning(["topic_id", "role"])
    .execute();
  // Somebody handed a topic over since we looked.
  if (ended.some(({ role }) => role === "owner")) throw new Refusal("owns_topics", { extra: { topics: [] } });
  const topicIds = ended.map(({ topic_id }) => topic_id);
  if (topicIds.length === 0) return [];
  await trx
    .updateTable("topics")
    .set((eb) => ({ member_count: eb("member_count", "-", 1) }))
    .where("id", "in", topicIds)
    .execute();
  return topicIds;
}
