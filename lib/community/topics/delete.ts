import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { logOperatorAct } from "../desk/log";
import { forgetTopicNotifications } from "../notifications/forget";
import { notify } from "../notifications/notify";
import { markTopicPicturesRemoved } from "../uploads/of-post";
import { removeUploads } from "../uploads/store";
import { type Effects, write } from "../write";
import { authorizeTopic } from "./load";
import { authorizeLockedTopic } from "./membership";

/** SQLSTATE lock_not_available and deadlock_detected. */
const BUSY_STATES = ["55P03", "40P01"];
const MAX_ATTEMPTS = 20;

/**
 * DELETE /api/topics/{topicId}: the topic and everything in it, in one transaction, by its owner or a global admin.
 * This includes its notifications, the pictures of its posts that nothing else shows, and tags that nothing else uses. Of a
 * secret topic, nothing that members wrote remains. Its log remains, for operators. The log of the installation and the
 * owner learn why an operator deleted it.
 *
 * `deletedPostCount` counts deleted rows of posts, including posts that their authors had deleted.
 * @throws Refusal topic_not_found, not_a_member, role_required; fresh_proof_required for an operator
 */
export const deleteTopic: Handler<typeof contract.topics.delete> = async (ctx, { topicId, reason }) => {
  const { caller, db } = ctx;
  const { role } = await authorizeTopic(db, topicId, caller, "delete");
  if (role !== "owner") assertFreshProof(ctx);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { posts: deletedPostCount, pictures } = await write(ctx, async (trx, effects) => {
        effects.publish({ kind: "access", topicId });
        return await deleteOnce(trx, effects, ctx, { topicId, reason });
      });
      // Before the response: someone who deletes a picture relies on it being gone.
      await removeUploads(ctx, pictures);
      return { deleted: true, topicId, deletedPostCount };
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isBusy(error)) throw error;
      await sleep(5 * attempt);
    }
  }
};

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && BUSY_STATES.some((state) => state === error.code);
}

async function deleteOnce(
  trx: Trx,
  effects: Effects,
  { caller, storage, now }: MemberContext,
  { topicId, reason }: { readonly topicId: string; readonly reason?: string },
): Promise<{ readonly posts: number; readonly pictures: readonly string[] }> {
  // Lock order: posts, topics, tags. A post created during the wait for the topic is locked without waiting, since a
  // write under it holds the post and waits for the topic. If that fails, the deletion starts again.
  await lockPosts(trx, topicId, "wait");
  const topic = await authorizeLockedTopic(trx, topicId, caller, "delete");
  const posts = await lockPosts(trx, topicId, "nowait");
  const tags = await tagsOf(trx, topicId);
  const own = [topic.image, topic.banner].flatMap((picture) => (picture && storage.keyOf(picture)) || []);
  const pictures = await markTopicPicturesRemoved(trx, { id: topicId, own });
  const head = await trx
    .deleteFrom("topics")
    .where("id", "=", topicId)
    .returning(["log_seq", "log_hash"])
    .executeTakeFirstOrThrow();
  // After the topic: its members left with it, which is an event, too.
  await trx.deleteFrom("topic_events").where("topic_id", "=", topicId).execute();
  if (tags.length > 0) await uncountTags(trx, tags, topic.visibility === "public");
  if (topic.role === "owner") {
    await forgetTopicNotifications(trx, effects, topicId);
    return { posts, pictures };
  }
  const act = { actorId: caller.userId, now: now() };
  await logOperatorAct(trx, {
    ...act,
    role: "operator",
    action: "topic_deleted",
    targetKind: "topic",
    targetId: topicId,
    topicId,
    reason,
    // The end of its log, which nobody can extend any more.
    details: { logSeq: String(head.log_seq), logHash: head.log_hash },
  });
  await forgetTopicNotifications(trx, effects, topicId);
  const details = { title: topic.title };
  const to = [topic.creator_id];
  await notify(trx, effects, { ...act, topicId: null }, [{ kind: "topic_removed", to, reason, details }]);
  return { posts, pictures };
}

/** @returns the number of posts in the topic, including deleted ones */
async function lockPosts(trx: Trx, topicId: string, onWait: "wait" | "nowait"): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with locked as (select id from posts where topic_id = ${topicId} order by id
      for update ${onWait === "nowait" ? sql`nowait` : sql``})
    select count(*)::int as count from locked`.execute(trx);
  return rows[0]?.count ?? 0;
}

interface UsedTag {
  readonly id: string;
  /** Shown posts of the topic with this tag. */
  readonly posts: number;
}

async function tagsOf(trx: Trx, topicId: string): Promise<UsedTag[]> {
  return await trx
    .selectFrom("topic_tags")
    .select(["tag_id as id", "post_count as posts"])
    .where("topic_id", "=", topicId)
    .execute();
}

/** Locks the tags in the same order as `tagPost`, uncounts them, and deletes those that nothing uses. */
async function uncountTags(trx: Trx, tags: readonly UsedTag[], isPublic: boolean): Promise<void> {
  const used = sql`jsonb_to_recordset(${JSON.stringify(tags)}::jsonb) as used (id uuid, posts int)`;
  await sql`select t.id from tags t where t.id in (select id from ${used})
    order by t.slug collate "C" for update`.execute(trx);
  if (isPublic) {
    await sql`update tags t set public_post_count = t.public_post_count - used.posts
      from ${used} where t.id = used.id`.execute(trx);
  }
  await sql`delete from tags t where t.id in (select id from ${used})
    and not exists (select from topic_tags g where g.tag_id = t.id)`.execute(trx);
}
