import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Context, MemberContext } from "@/lib/context";
import { Refusal } from "@/lib/errors";
import { NOTICE_MS, reproveBy } from "@/lib/policy/freshness";
import type { Gate } from "@/lib/policy/gate";
import { notify } from "../notifications/notify";
import { write } from "../write";
import { consumePass, passGate } from "./gate";
import type { TopicRow } from "./load";
import { holdTopic } from "./membership";

/**
 * Renews a member's proof: with the one in the body, or with a stored verification that is newer than the last.
 * @throws Refusal as `passGate` and `consumePass`; not_a_member if the membership ended meanwhile
 */
export async function renewProof(
  ctx: MemberContext,
  topic: Pick<TopicRow, "id" | "proven_at">,
  gate: Gate,
  input: Parameters<typeof passGate>[2],
  onMissing: Parameters<typeof passGate>[3],
): Promise<void> {
  const pass = await passGate(ctx, gate, input, onMissing, topic.proven_at ?? undefined);
  const { userId } = ctx.caller;
  await write(ctx, async (trx) => {
    await holdTopic(trx, topic.id);
    const { reprove_days: days } = await trx
      .selectFrom("topics")
      .select("reprove_days")
      .where("id", "=", topic.id)
      .executeTakeFirstOrThrow();
    await consumePass(trx, ctx, pass, { topicId: topic.id, userId, now: ctx.now() });
    const renewed = await trx
      .updateTable("memberships")
      .set({ proven_at: pass.provenAt, reprove_by: reproveBy(pass.provenAt, days), reprove_told: 0 })
      .where("topic_id", "=", topic.id)
      .where("user_id", "=", userId)
      .returning("user_id")
      .executeTakeFirst();
    if (!renewed) throw new Refusal("not_a_member");
  });
}

/**
 * Sets the date of every member, in the transaction that changed the topic's rule and holds its row. Nobody lapses at
 * once: the earliest date is a week from now.
 */
export async function setReproveDates(
  trx: Trx,
  topicId: string,
  days: number | null,
  now: Date,
): Promise<void> {
  const earliest = new Date(now.getTime() + NOTICE_MS);
  const by =
    days === null
      ? sql`null`
      : sql`greatest(coalesce(proven_at, joined_at) + make_interval(days => ${days}::int), ${earliest}::timestamptz)`;
  await sql`update memberships set reprove_by = ${by}, reprove_told = 0 where topic_id = ${topicId}`.execute(
    trx,
  );
}

type Telling = Pick<Context, "db" | "live" | "now">;

/** Members notified in one round. */
const ROUND = 200;

/** A member who is to be notified of the date. */
interface Due {
  readonly topic_id: string;
  readonly user_id: string;
  readonly lapsed: boolean;
}

/**
 * Notifies members whose proof is due within a week, and again those whose membership lapsed. Whoever has an open stream
 * of a topic that lapsed is disconnected from it.
 */
export async function tellOfProofs(services: Telling): Promise<void> {
  for (;;) {
    const due = await findDue(services.db, services.now());
    for (const member of due) await tell(services, member);
    if (due.length < ROUND) return;
  }
}

async function findDue(db: Db, now: Date): Promise<readonly Due[]> {
  const noticed = new Date(now.getTime() + NOTICE_MS);
  const { rows } = await sql<Due>`
    select topic_id, user_id, reprove_by <= ${now} as lapsed from memberships
    where reprove_by is not null
      and ((reprove_told = 0 and reprove_by <= ${noticed}) or (reprove_told < 2 and reprove_by <= ${now}))
    order by reprove_by limit ${ROUND}`.execute(db);
  return rows;
}

/** Notifies one member, unless another process did, or they proved meanwhile. */
async function tell(services: Telling, { topic_id, user_id, lapsed }: Due): Promise<void> {
  const now = services.now();
  const told = lapsed ? 2 : 1;
  await write(services, async (trx, effects) => {
    const marked = await trx
      .updateTable("memberships")
      .set({ reprove_told: told })
      .where("topic_id", "=", topic_id)
      .where("user_id", "=", user_id)
      .where("reprove_told", "<", told)
      .where("reprove_by", "<=", lapsed ? now : new Date(now.getTime() + NOTICE_MS))
      .returning("reprove_by")
      .executeTakeFirst();
    if (!marked?.reprove_by) return;
    const kind = lapsed ? "proof_lapsed" : "proof_due";
    const details: Record<string, string> = lapsed ? {} : { until: marked.reprove_by.toISOString() };
    await notify(trx, effects, { topicId: topic_id, actorId: null, now }, [{ kind, to: [user_id], details }]);
    if (lapsed) effects.publish({ kind: "access", topicId: topic_id, userId: user_id });
  });
}
