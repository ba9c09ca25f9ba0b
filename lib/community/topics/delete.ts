import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { forgetTopicNotifications } from "../notifications/forget";
import { markTopicPicturesRemoved } from "../uploads/of-post";
import { removeUploads } from "../uploads/store";
import { viewerOf } from "../viewer";
import { type Effects, write } from "../write";
import { loadTopic } from "./load";
import { accessUnderLock } from "./membership";

/** SQLSTATE lock_not_available and deadlock_detected. */
const busyStates = ["55P03", "40P01"];
const attempts = 20;

/**
 * DELETE /api/topics/{topicId}: the topic and everything in it, in one transaction, by its owner or a global admin.
 * Counts of tags follow, and a tag that nothing else uses goes too, so that no word of a secret topic stays behind.
 * So do notifications of it, with what its staff gave as reasons, and the pictures of its posts that nothing else shows.
 *
 * `deletedPostCount` counts the rows of posts that are gone, those that their authors had deleted among them.
 * @throws Refusal topic_not_found, not_a_member, role_required
 */
export async function deleteTopic(
  ctx: MemberContext,
  { topicId }: HandlerInput<typeof contract.topics.delete>,
): Promise<ResponseBody<typeof contract.topics.delete>> {
  const { caller, db } = ctx;
  const topic = await loadTopic(db, topicId, caller.userId);
  assertAllowed(topicAccess(topic, viewerOf(caller, topic)).delete);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { posts: deletedPostCount, pictures } = await write(ctx, async (trx, effects) => {
        effects.publish({ kind: "access", topicId });
        return await deleteOnce(trx, effects, ctx, topicId);
      });
      // Before it is answered: whoever deletes a picture relies on it.
      await removeUploads(ctx, pictures);
      return { deleted: true, topicId, deletedPostCount };
    } catch (error) {
      if (attempt === attempts || !isBusy(error)) throw error;
      await sleep(5 * attempt);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && busyStates.some((state) => state === error.code);
}

async function deleteOnce(
  trx: Trx,
  effects: Effects,
  { caller, storage }: MemberContext,
  topicId: string,
): Promise<{ readonly posts: number; readonly pictures: readonly string[] }> {
  // Locks in the order posts, topics, tags. A post that came while the topic was waited for is taken without
  // waiting: whoever writes under it holds it and waits for the topic. Then everything begins again.
  await lockPosts(trx, topicId, "wait");
  const { topic, access } = await accessUnderLock(trx, topicId, caller);
  assertAllowed(access.delete);
  const posts = await lockPosts(trx, topicId, "nowait");
  const tags = await tagsOf(trx, topicId);
  const imageKey = topic.image && storage.keyOf(topic.image);
  const pictures = await markTopicPicturesRemoved(trx, { id: topicId, imageKey: imageKey || null });
  await trx.deleteFrom("topics").where("id", "=", topicId).execute();
  if (tags.length > 0) await uncountTags(trx, tags, topic.visibility === "public");
  await forgetTopicNotifications(trx, effects, topicId);
  return { posts, pictures };
}

/** @returns how many posts the topic has, deleted ones too */
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

/** Takes the tags in the order that posts take them in (tagPost), uncounts, and removes those that nothing uses. */
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
