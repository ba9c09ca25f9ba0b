import type { Db, Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { transact } from "@/lib/sql/transact";
import { authorizeTopic } from "../topics/load";
import { holdTopic, lockLive } from "../topics/membership";

const LIFE_MS = LIMITS.days.draft * 24 * 60 * 60 * 1000;

/** GET /api/topics/{topicId}/draft @throws Refusal topic_not_found, not_a_member */
export const getDraft: Handler<typeof contract.drafts.get> = async ({ caller, db }, { topicId }) => {
  await authorizeTopic(db, topicId, caller, "readContent");
  const row = await db
    .selectFrom("drafts")
    .select(["content", "version", "updated_at"])
    .where("user_id", "=", caller.userId)
    .where("topic_id", "=", topicId)
    .executeTakeFirst();
  if (!row) return { draft: null };
  const { content, version, updated_at } = row;
  return { draft: { topicId, content, version, updatedAt: updated_at.toISOString() } };
};

/**
 * PUT /api/topics/{topicId}/draft
 * @throws Refusal topic_not_found, not_a_member, draft_changed, too_many_drafts
 */
export const saveDraft: Handler<typeof contract.drafts.save> = async (
  { caller, db, now },
  { topicId, content, version },
) => {
  const { userId } = caller;
  const at = now();
  return await transact(db, async (trx) => {
    await holdTopic(trx, topicId);
    await authorizeTopic(trx, topicId, caller, "readContent");
    // Drafts are counted, and two devices take turns.
    await lockLive(trx, userId);
    const known = await trx
      .selectFrom("drafts")
      .select("version")
      .where("user_id", "=", userId)
      .where("topic_id", "=", topicId)
      .executeTakeFirst();
    if ((known?.version ?? null) !== version) throw new Refusal("draft_changed");
    if (!known) await assertRoom(trx, userId);
    const next = { content: JSON.stringify(content), version: (version ?? 0) + 1, updated_at: at };
    await trx
      .insertInto("drafts")
      .values({ user_id: userId, topic_id: topicId, ...next })
      .onConflict((conflict) => conflict.columns(["user_id", "topic_id"]).doUpdateSet(next))
      .execute();
    return { draft: { topicId, version: next.version, updatedAt: at.toISOString() } };
  });
};

async function assertRoom(trx: Trx, userId: string): Promise<void> {
  const { count } = await trx
    .selectFrom("drafts")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= LIMITS.drafts) throw new Refusal("too_many_drafts");
}

/** DELETE /api/topics/{topicId}/draft: also of a topic that the caller may no longer read. */
export const deleteDraft: Handler<typeof contract.drafts.delete> = async ({ caller, db }, { topicId }) => {
  await db
    .deleteFrom("drafts")
    .where("user_id", "=", caller.userId)
    .where("topic_id", "=", topicId)
    .execute();
  return { success: true };
};

/** Deletes drafts that were not saved for long. */
export async function forgetDrafts(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom("drafts")
    .where("updated_at", "<", new Date(now.getTime() - LIFE_MS))
    .execute();
}
