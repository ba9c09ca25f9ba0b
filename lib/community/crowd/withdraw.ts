import { sql } from "kysely";
import type { Trx } from "@/db/schema";

/** A member's part in a crowd, at a time. */
export interface Place {
  readonly topicId: string;
  readonly userId: string;
  readonly now: Date;
}

/** Takes a member's leaf out of the crowd: the next root no longer has it. Does nothing for who has none. */
export async function withdrawLeaf(trx: Trx, { topicId, userId, now }: Place): Promise<void> {
  // First, as whoever publishes a root does.
  await trx.selectFrom("crowds").select("topic_id").where("topic_id", "=", topicId).forUpdate().execute();
  const withdrawn = await trx
    .updateTable("crowd_leaves")
    .set({ withdrawn_at: now })
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .where("withdrawn_at", "is", null)
    .returning("entered")
    .executeTakeFirst();
  if (withdrawn?.entered) await noteChange(trx, topicId, now);
}

/** Takes the leaves of an account that withdraws out of their crowds. Their identity stays, so that coming back is a replacement. */
export async function withdrawLeaves(trx: Trx, userId: string, now: Date): Promise<void> {
  const own = await trx
    .selectFrom("crowd_leaves")
    .select("topic_id")
    .where("user_id", "=", userId)
    .where("withdrawn_at", "is", null)
    .orderBy("topic_id")
    .execute();
  for (const { topic_id } of own) await withdrawLeaf(trx, { topicId: topic_id, userId, now });
  await trx.updateTable("crowd_leaves").set({ user_id: null }).where("user_id", "=", userId).execute();
}

/** Notes when the leaves will be others than the latest root has. */
export async function noteChange(trx: Trx, topicId: string, at: Date): Promise<void> {
  await trx
    .updateTable("crowds")
    .set({ change_at: sql<Date>`least(change_at, ${at})` })
    .where("topic_id", "=", topicId)
    .execute();
}
