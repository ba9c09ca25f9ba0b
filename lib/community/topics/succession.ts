import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import { isActive } from "@/lib/session/active";
import { transferOwnership } from "../members/roles";
import { textSnapshot } from "../moderation/snapshot";
import { notify } from "../notifications/notify";
import { type Effects, write } from "../write";

/** A topic whose owner's account is suspended until an operator lifts that. */
interface Orphan {
  readonly topicId: string;
  readonly ownerId: string;
  readonly suspendedBy: string;
  readonly suspendedAt: Date;
}

/**
 * Passes topics whose owner's account is suspended for good to their longest-serving admin, and reports those without an
 * admin to the operators, who can hand them over. An account that owns topics cannot be deleted, so no other topic is
 * without an owner.
 * @param ownerId of one owner only
 */
export async function passOrphanedTopics(
  ctx: Pick<Context, "db" | "live" | "now">,
  ownerId?: string,
): Promise<void> {
  for (const { topicId } of await orphans(
    ctx.db,
    sql`${ownerId ? sql`m.user_id = ${ownerId}` : sql`true`}`,
  )) {
    await write(ctx, async (trx, effects) => {
      await trx.selectFrom("topics").select("id").where("id", "=", topicId).forUpdate().execute();
      // Again, after the wait: someone may have handed it over, or lifted the suspension.
      const [orphan] = await orphans(trx, sql`m.topic_id = ${topicId}`);
      if (orphan) await passOn(trx, effects, orphan, ctx.now());
    });
  }
}

async function orphans(db: Db | Trx, which: ReturnType<typeof sql>): Promise<Orphan[]> {
  const { rows } = await sql<Orphan>`
    select m.topic_id as "topicId", m.user_id as "ownerId", a.created_by as "suspendedBy", a.created_at as "suspendedAt"
    from account_sanctions a
    join users u on u.identity_hash = a.identity_hash
    join memberships m on m.user_id = u.id and m.role = 'owner'
    where a.kind = 'suspend' and a.until is null and ${which} order by m.topic_id`.execute(db);
  return rows;
}

async function passOn(trx: Trx, effects: Effects, orphan: Orphan, now: Date): Promise<void> {
  const { topicId, ownerId } = orphan;
  const heir = await findHeir(trx, topicId, now);
  if (!heir) return await reportToOperators(trx, orphan, now);
  await transferOwnership(trx, { topicId, from: ownerId, to: heir, now, by: null });
  await notify(trx, effects, { topicId, actorId: null, now }, [{ kind: "ownership_inherited", to: [heir] }]);
}

/** Returns the admin who has been a member for longest, those first who have not to prove again. */
async function findHeir(trx: Trx, topicId: string, now: Date): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from memberships m join users u on u.id = m.user_id
    where m.topic_id = ${topicId} and m.role = 'admin' and ${isActive(now)}
    order by coalesce(m.reprove_by <= ${now}, false), m.joined_at, m.user_id limit 1`.execute(trx);
  return rows[0]?.user_id ?? null;
}

/** Reports the topic in the name of the operator who suspended its owner, once for each suspension. */
async function reportToOperators(trx: Trx, orphan: Orphan, now: Date): Promise<void> {
  const { topicId, ownerId, suspendedBy, suspendedAt } = orphan;
  const topic = await trx
    .selectFrom("topics")
    .select(["title", "description", "image", "banner"])
    .where("id", "=", topicId)
    .executeTakeFirstOrThrow();
  const snapshot = textSnapshot(topic.title, topic.description ?? "", [topic.image, topic.banner]);
  await sql`
    insert into desk_reports (kind, target_id, topic_id, subject_id, reporter_id, reason, details, snapshot, status,
      created_at)
    select 'topic', ${topicId}::text, ${topicId}::uuid, ${ownerId}::text, ${suspendedBy}::text, 'owner',
      'The owner is suspended and the topic has no admin. Hand it over to a member, or delete it.',
      ${JSON.stringify(snapshot)}::jsonb, 'open', ${now}::timestamptz
    where not exists (select from desk_reports d where d.kind = 'topic' and d.target_id = ${topicId}::text
      and d.reporter_id = ${suspendedBy} and d.reason = 'owner' and d.created_at >= ${suspendedAt})
    on conflict (kind, target_id, reporter_id) where status = 'open' do nothing`.execute(trx);
}
