import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import { Refusal } from "@/lib/errors";
import type { MemberSessionContext } from "@/lib/session/context";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { freeNickname } from "@/lib/session/nickname";
import { withdrawLeaves } from "../crowd/withdraw";
import { topicScoreLater } from "../topics/score";
import { keepLimits } from "../trust/days";
import { moveWithheld } from "../uploads/of-post";
import { noteRemoved } from "../uploads/removed";
import { removeFiles, removeUploads } from "../uploads/store";
import { write } from "../write";
import { returnForcedTopics } from "./forced-topics";
import { keepIdentities } from "./identities";
import {
  copyPictures,
  lockPostsOf,
  type MovedPicture,
  moveContent,
  randomUserId,
  WITHDRAWN_NAME,
} from "./pseudonym";

/**
 * DELETE /api/account: withdraws an account. Its posts, comments and chat messages remain under "[withdrawn]" and a
 * random author id, with their images at URLs with that id. The account loses its identity, so that the next sign-in
 * with it creates an unrelated account. All sessions end, and profile images and files that nothing shows are deleted, as
 * are bookmarks, notifications, settings, and blocks of and by the account.
 *
 * The old id keeps the identity in topics where a mute, a ban, or the wait after a removal or rejection is in force,
 * for as long as it is, so that nobody escapes one by withdrawing; so do the limits of the day. A topic that was transferred to this user, who then
 * did nothing there, returns to its previous owner.
 * @throws Refusal fresh_proof_required; owns_topics, with the topics in its body
 */
export async function deleteAccount(ctx: MemberSessionContext) {
  const { caller, session } = ctx;
  assertFreshProof(ctx);
  const { userId } = caller;
  const pseudonym = randomUserId();
  const copied = await copyPictures(ctx, userId, pseudonym);
  let moved: readonly MovedPicture[] = [];
  const left = await write(ctx, async (trx, effects) => {
    // Lock order: posts and topics before users, as for a write in a topic, which locks its author's row.
    await lockPostsOf(trx, userId);
    await lockTopicsOf(trx, userId);
    const notifyOwners = await returnForcedTopics(trx, effects, userId, ctx.now());
    await assertOwnsNothing(trx, userId);
    await keepIdentities(trx, userId, ctx.now());
    await keepLimits(trx, userId, ctx.now());
    await freeNickname(trx, userId, null, ctx.now());
    const gone = await trx
      .updateTable("users")
      .set({
        identity_hash: null,
        nickname: WITHDRAWN_NAME,
        nickname_key: `${WITHDRAWN_NAME} ${userId}`,
        nickname_set: false,
        nickname_skeleton: null,
        profile_image: null,
        // Not the real time, which would link this account to the one that has its content.
        deleted_at: new Date(0),
      })
      .where("id", "=", userId)
      .where("deleted_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (!gone) throw new Refusal("not_authenticated", { message: "This account was already deleted." });
    await deletePersonalRows(trx, userId, ctx.now());
    await withdrawLeaves(trx, userId, ctx.now());
    const topicIds = await leaveTopics(trx, userId);
    // Leaving is an event, too.
    await trx.updateTable("topic_events").set({ user_id: null }).where("user_id", "=", userId).execute();
    await notifyOwners();
    await deleteNotifications(trx, userId);
    moved = await moveContent(trx, userId, pseudonym, copied);
    await noteRemoved(
      trx,
      moved.map(({ from }) => from),
      ctx.now(),
    );
    effects.publish({ kind: "access", userId });
    return topicIds;
  }).finally(() => removePicturesLater(ctx, copied, moved));
  session.clear();
  for (const topicId of left) topicScoreLater(ctx, topicId);
  ctx.later("withheld pictures of a withdrawn account", async () => {
    await moveWithheld(
      ctx,
      moved.map(({ to }) => to),
    );
  });
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

/** Removes files that no row names: the old files of pictures that moved, and the copies of those that did not. */
function removePicturesLater(
  ctx: MemberSessionContext,
  copied: readonly MovedPicture[],
  moved: readonly MovedPicture[],
): void {
  if (copied.length === 0) return;
  const keys = copied.map((picture) => (moved.includes(picture) ? picture.from : picture.to));
  ctx.later("pictures under the old addresses of a withdrawn account", async () => {
    await removeFiles(ctx, keys);
  });
}

async function lockTopicsOf(trx: Trx, userId: string): Promise<void> {
  await trx
    .selectFrom("topics")
    .select("id")
    .where("id", "in", (eb) => eb.selectFrom("memberships").select("topic_id").where("user_id", "=", userId))
    .orderBy("id")
    .forUpdate()
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

/** Tables with rows about this user that are not content. */
const PERSONAL = [
  "verifications",
  "domain_badges",
  "limited_badges",
  "bookmarks",
  "challenges",
  "idempotency_keys",
  "proof_requests",
  "push_subscriptions",
  "automation_tokens",
  "sessions",
  "mentions",
  "chat_connections",
  "operators",
  "blocks",
  "follows",
  "digests",
  "private_feeds",
  "topic_mutes",
  "notification_settings",
  "topic_notification_levels",
  "thread_levels",
  "drafts",
  "scheduled_posts",
  "webhooks",
  "apps",
  // What staff noted about them. What they noted about others stays with the topic.
  "staff_notes",
  "topic_reads",
  "thread_reads",
] as const;

async function deletePersonalRows(trx: Trx, userId: string, now: Date): Promise<void> {
  for (const table of PERSONAL) await trx.deleteFrom(table).where("user_id", "=", userId).execute();
  // The content loses its author, so nobody's block or follow concerns it any more.
  await trx.deleteFrom("blocks").where("blocked_id", "=", userId).execute();
  await trx.deleteFrom("follows").where("followed_id", "=", userId).execute();
  await trx
    .deleteFrom("join_requests")
    .where("user_id", "=", userId)
    .where("status", "=", "pending")
    .execute();
  // Profile images, and what nothing shows. Only marked here, and removed after the commit; after a crash, the sweep
  // finds the mark.
  const gone = await trx
    .updateTable("uploads")
    .set({ stored: false })
    .where("user_id", "=", userId)
    .where((eb) => eb.or([eb(sql<string>`split_part(key, '/', 2)`, "=", "avatars"), eb("used", "=", false)]))
    .returning("key")
    .execute();
  await noteRemoved(
    trx,
    gone.map(({ key }) => key),
    now,
  );
}

/** Deletes the user's notifications. Inboxes are last in the lock order. */
async function deleteNotifications(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom("inboxes").select("user_id").where("user_id", "=", userId).forUpdate().execute();
  await trx.deleteFrom("notifications").where("user_id", "=", userId).execute();
  await trx.deleteFrom("inboxes").where("user_id", "=", userId).execute();
}

/** @returns the topics that the user left */
async function leaveTopics(trx: Trx, userId: string): Promise<string[]> {
  const ended = await trx
    .deleteFrom("memberships")
    .where("user_id", "=", userId)
    .returning(["topic_id", "role"])
    .execute();
  // A topic was transferred to them since we looked.
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
