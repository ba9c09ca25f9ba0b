import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { transact } from "@/lib/sql/transact";
import { assertProven } from "../anonymous/act";
import { authorizeTopic } from "../topics/load";
import { assertLive, holdTopic } from "../topics/membership";
import { identityOf } from "../trust/days";
import { formerWords, isTheirs, lastEntered } from "./former";
import { crowdView } from "./view";
import { noteChange, type Place, withdrawLeaf } from "./withdraw";

/** How long a leaf waits that replaces another: a new secret must not shed what the old one was banned for. */
const REPLACEMENT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * PUT /api/topics/{topicId}/crowd: one live leaf per member. The first leaf of a person counts from the next root on,
 * another one later (`countsFrom`).
 * @throws Refusal leaf_taken; otherwise what the policy decides
 */
export const enrolLeaf: Handler<typeof contract.crowd.enrol> = async (ctx, { topicId, leaf, former }) => {
  const { caller, db } = ctx;
  const place = { topicId, userId: caller.userId, now: ctx.now() };
  // The policy answers first whether there is such a topic.
  if (former) await authorizeTopic(db, topicId, caller, "write");
  const words = former && (await formerWords(db, ctx, place, { leaf, former }));
  if (former && words) await assertProven(ctx, former.proof, words, "former.proof");
  const topic = await transact(db, async (trx) => {
    await holdTopic(trx, topicId);
    const topic = await authorizeTopic(trx, topicId, caller, "write");
    await lockCrowd(trx, topicId);
    const live = await trx
      .selectFrom("crowd_leaves")
      .select("leaf")
      .where("topic_id", "=", topicId)
      .where("user_id", "=", caller.userId)
      .where("withdrawn_at", "is", null)
      .executeTakeFirst();
    if (former) {
      // What changed while the proof was checked.
      const still = await formerWords(trx, ctx, place, { leaf, former });
      if (still.some((word, i) => word !== words?.[i])) throw new Refusal("terms_expired");
      if (live?.leaf !== leaf) throw new Refusal("no_former_leaf");
      await countNow(trx, place);
    }
    if (live?.leaf === leaf) return topic;
    await assertFree(trx, place, leaf);
    if (live) await withdrawLeaf(trx, place);
    const counts_from = await countsFrom(trx, place, leaf);
    await trx
      .insertInto("crowd_leaves")
      .values({
        topic_id: topicId,
        leaf,
        user_id: caller.userId,
        identity_hash: identityOf(caller.userId),
        enrolled_at: place.now,
        counts_from,
      })
      .execute();
    await noteChange(trx, topicId, counts_from);
    await assertLive(trx, caller.userId);
    return topic;
  });
  return { crowd: await crowdView(ctx, topic, caller.userId) };
};

/** DELETE /api/topics/{topicId}/crowd. @throws Refusal topic_not_found, not_a_member */
export const withdrawFromCrowd: Handler<typeof contract.crowd.withdraw> = async (ctx, { topicId }) => {
  const { caller } = ctx;
  await transact(ctx.db, async (trx) => {
    await holdTopic(trx, topicId);
    await authorizeTopic(trx, topicId, caller, "leave");
    await withdrawLeaf(trx, { topicId, userId: caller.userId, now: ctx.now() });
  });
  // Not the crowd: who may leave need not be allowed to read.
  return { success: true };
};

/** Waits until nobody else changes this crowd or publishes a root of it. */
async function lockCrowd(trx: Trx, topicId: string): Promise<void> {
  await trx
    .insertInto("crowds")
    .values({ topic_id: topicId, number: 0, places: 0 })
    .onConflict((conflict) => conflict.column("topic_id").doNothing())
    .execute();
  await trx.selectFrom("crowds").select("topic_id").where("topic_id", "=", topicId).forUpdate().execute();
}

/** Lets a leaf that waits count from the next root on. */
async function countNow(trx: Trx, { topicId, userId, now }: Place): Promise<void> {
  const waiting = await trx
    .updateTable("crowd_leaves")
    .set({ counts_from: now })
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .where("withdrawn_at", "is", null)
    .where("entered", "is", null)
    .where("counts_from", ">", now)
    .executeTakeFirst();
  if (waiting.numUpdatedRows > 0n) await noteChange(trx, topicId, now);
}

/** Nobody may enrol another's leaf: they would take it out with their own. @throws Refusal leaf_taken */
async function assertFree(trx: Trx, place: Place, leaf: string): Promise<void> {
  const other = await trx
    .selectFrom("crowd_leaves")
    .select("id")
    .where("topic_id", "=", place.topicId)
    .where("leaf", "=", leaf)
    .where(sql<boolean>`not coalesce(${isTheirs(place)}, false)`)
    .executeTakeFirst();
  if (other) throw new Refusal("leaf_taken", { field: "leaf" });
}

/**
 * Returns when a leaf counts: at once when no root ever had another one of this person, or when the last that one had is
 * the same. Otherwise later, and not before every ban of the topic ended, so that no ban is shed and no window used
 * twice.
 */
async function countsFrom(trx: Trx, place: Place, leaf: string): Promise<Date> {
  const last = await lastEntered(trx, place);
  if (!last || last.leaf === leaf) return place.now;
  const ban = await trx
    .selectFrom("anonymous_bans")
    .select((eb) => eb.fn.max("ends_at").as("last"))
    .where("topic_id", "=", place.topicId)
    .executeTakeFirst();
  return new Date(Math.max(place.now.getTime() + REPLACEMENT_MS, ban?.last?.getTime() ?? 0));
}
