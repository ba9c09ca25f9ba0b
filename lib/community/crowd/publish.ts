import { sql } from "kysely";
import { numberToHex } from "viem";
import type { Db, Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import { NO_ROOT, rootHash } from "@/lib/proofs/anonymous/roots";
import { CrowdTree } from "@/lib/proofs/anonymous/tree";
import { transact } from "@/lib/sql/transact";
import { leavesOf, roundOf } from "./view";
import { withdrawLeaf } from "./withdraw";

/** Identities of withdrawn leaves are forgotten once the longest ban would have ended. */
const FORGET_MS = 52 * 7 * 24 * 60 * 60 * 1000;

/** Publishes the roots of all crowds that changed before this round, and forgets identities of long ago. */
export async function publishRoots(services: Pick<Context, "anonymous" | "db" | "now">): Promise<void> {
  const { db } = services;
  const now = services.now();
  await withdrawLapsed(db, now);
  const round = roundOf(services.anonymous, now);
  const changed = await db
    .selectFrom("crowds")
    .select("topic_id")
    .where("change_at", "<=", round)
    .orderBy("change_at")
    .execute();
  for (const { topic_id } of changed) await transact(db, (trx) => publishRoot(trx, topic_id, round));
  await db
    .updateTable("crowd_leaves")
    .set({ identity_hash: null })
    .where("withdrawn_at", "<", new Date(now.getTime() - FORGET_MS))
    .where("identity_hash", "is not", null)
    .execute();
}

/** Takes out the leaves of members whose proof lapsed. */
async function withdrawLapsed(db: Db, now: Date): Promise<void> {
  const lapsed = await db
    .selectFrom("crowd_leaves as l")
    .innerJoin("memberships as m", (join) =>
      join.onRef("m.topic_id", "=", "l.topic_id").onRef("m.user_id", "=", "l.user_id"),
    )
    .select(["l.topic_id", "m.user_id"])
    .where("l.withdrawn_at", "is", null)
    .where("m.reprove_by", "<=", now)
    .execute();
  for (const { topic_id, user_id } of lapsed)
    await transact(db, (trx) => withdrawLeaf(trx, { topicId: topic_id, userId: user_id, now }));
}

async function publishRoot(trx: Trx, topicId: string, round: Date): Promise<void> {
  const crowd = await trx
    .selectFrom("crowds")
    .select(["number", "places"])
    .where("topic_id", "=", topicId)
    .where("change_at", "<=", round)
    .forUpdate()
    // Another process publishes it.
    .skipLocked()
    .executeTakeFirst();
  if (!crowd) return;
  const number = crowd.number + 1;
  const entering = await trx
    .selectFrom("crowd_leaves")
    .select(["id", "leaf"])
    .where("topic_id", "=", topicId)
    .where("entered", "is", null)
    .where("withdrawn_at", "is", null)
    .where("counts_from", "<=", round)
    // Not by when they enrolled.
    .orderBy("leaf")
    .execute();
  const ids = entering.map(({ id }) => id);
  await sql`update crowd_leaves l set place = ${crowd.places} + v.at - 1, entered = ${number}
    from unnest(${ids}::uuid[]) with ordinality v (id, at) where l.id = v.id`.execute(trx);
  const leaving = await trx
    .updateTable("crowd_leaves")
    .set({ gone: number })
    .where("topic_id", "=", topicId)
    .where("entered", "is not", null)
    .where("gone", "is", null)
    .where("withdrawn_at", "<=", round)
    .executeTakeFirst();
  const next = await trx
    .selectFrom("crowd_leaves")
    .select((eb) =>
      sql<Date | null>`min(coalesce(${eb.ref("withdrawn_at")}, ${eb.ref("counts_from")}))`.as("at"),
    )
    .where("topic_id", "=", topicId)
    .where(
      sql<boolean>`(entered is null and withdrawn_at is null) or (entered is not null and gone is null and withdrawn_at is not null)`,
    )
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("crowds")
    .set({ change_at: next.at, places: crowd.places + entering.length })
    .where("topic_id", "=", topicId)
    .execute();
  // Who enrolled and withdrew in between changes nothing.
  if (entering.length === 0 && leaving.numUpdatedRows === 0n) return;
  const leaves = (await leavesOf(trx, topicId, number)).map((leaf) => BigInt(`0x${leaf}`));
  const published = {
    topicId,
    number,
    root: numberToHex((await CrowdTree.of(leaves)).root, { size: 32 }),
    size: leaves.filter((leaf) => leaf !== 0n).length,
    publishedAt: round,
  };
  const before = await trx
    .selectFrom("crowd_roots")
    .select("hash")
    .where("topic_id", "=", topicId)
    .where("number", "=", crowd.number)
    .executeTakeFirst();
  await trx
    .insertInto("crowd_roots")
    .values({
      topic_id: topicId,
      number,
      root: published.root,
      size: published.size,
      published_at: round,
      hash: rootHash(before?.hash ?? NO_ROOT, published),
    })
    .execute();
  await trx.updateTable("crowds").set({ number }).where("topic_id", "=", topicId).execute();
}
