import type { Db, Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import type { Webhook } from "@/lib/contract/webhooks";
import { Refusal } from "@/lib/errors";
import { transact } from "@/lib/sql/transact";
import { logStaffAct } from "../moderation/log";
import { authorizeTopic } from "../topics/load";
import { assertLive, authorizeLockedTopic } from "../topics/membership";

/** GET /api/topics/{topicId}/webhooks @throws Refusal topic_not_found, not_a_member, role_required */
export const listWebhooks: Handler<typeof contract.webhooks.list> = async ({ caller, db }, { topicId }) => {
  await authorizeTopic(db, topicId, caller, "moderate");
  return { webhooks: await webhooksOf(db, topicId) };
};

async function webhooksOf(db: Db | Trx, topicId: string, id?: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom("webhooks as w")
    .innerJoin("users as u", "u.id", "w.user_id")
    .selectAll("w")
    .select("u.nickname")
    .where("w.topic_id", "=", topicId)
    .$if(id !== undefined, (query) => query.where("w.id", "=", id ?? ""))
    .orderBy("w.created_at", "desc")
    .orderBy("w.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    events: row.events,
    cursor: row.position,
    failingSince: row.failing_since?.toISOString() ?? null,
    stoppedAt: row.stopped_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    author: { userId: row.user_id, nickname: row.nickname },
  }));
}

/**
 * POST /api/topics/{topicId}/webhooks
 * @throws Refusal topic_not_found, not_a_member, role_required, address_not_allowed, too_many_webhooks
 */
export const createWebhook: Handler<typeof contract.webhooks.create> = async (
  ctx,
  { topicId, url, events },
) => {
  const { caller, db, now, web, webhookSecretOf } = ctx;
  await authorizeTopic(db, topicId, caller, "moderate");
  const address = web.read(url, "url");
  const webhook = await transact(db, async (trx) => {
    await authorizeLockedTopic(trx, topicId, caller, "moderate");
    await assertLive(trx, caller.userId);
    const existing = await trx.selectFrom("webhooks").select("id").where("topic_id", "=", topicId).execute();
    if (existing.length >= LIMITS.webhooks.most) throw new Refusal("too_many_webhooks");
    const { last_position: position } = await trx
      .insertInto("webhook_streams")
      .values({ topic_id: topicId })
      .onConflict((conflict) =>
        conflict
          .column("topic_id")
          .doUpdateSet((eb) => ({ last_position: eb.ref("webhook_streams.last_position") })),
      )
      .returning("last_position")
      .executeTakeFirstOrThrow();
    const { id } = await trx
      .insertInto("webhooks")
      .values({
        ...{ topic_id: topicId, user_id: caller.userId, url: address.href },
        ...{ events: [...new Set(events)], position, created_at: now() },
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await logHost(trx, "webhook_added", { topicId, actorId: caller.userId, now: now() }, address.href);
    const [made] = await webhooksOf(trx, topicId, id);
    if (!made) throw new Error("the webhook was not written");
    return made;
  });
  return { webhook, secret: webhookSecretOf(webhook.id) };
};

/** Members learn where what they do is sent: its host, since an address can hold a secret. */
async function logHost(
  trx: Trx,
  action: "webhook_added" | "webhook_deleted",
  act: { readonly topicId: string; readonly actorId: string; readonly now: Date },
  url: string,
): Promise<void> {
  await logStaffAct(trx, { ...act, action, details: { host: new URL(url).host } });
}

/**
 * POST /api/topics/{topicId}/webhooks/{webhookId}/replay
 * @throws Refusal topic_not_found, not_a_member, role_required, webhook_not_found
 */
export const replayWebhook: Handler<typeof contract.webhooks.replay> = async (
  { caller, db, now },
  { topicId, webhookId, after },
) => {
  return await transact(db, async (trx) => {
    await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const last = (await lockStream(trx, topicId))?.last_position ?? 0;
    const resumed = await trx
      .updateTable("webhooks")
      .set({
        ...(after !== undefined && { position: Math.min(after, last) }),
        // Whoever resumes it answers for it from now on.
        ...{ user_id: caller.userId, attempts: 0, failing_since: null, stopped_at: null, next_at: now() },
      })
      .where("id", "=", webhookId)
      .where("topic_id", "=", topicId)
      .returning("id")
      .executeTakeFirst();
    const [webhook] = resumed ? await webhooksOf(trx, topicId, webhookId) : [];
    if (!webhook) throw new Refusal("webhook_not_found");
    return { webhook };
  });
};

/** Locks the numbering of a topic's events. @returns undefined for a topic that never had a webhook, or is deleted */
export async function lockStream(
  trx: Trx,
  topicId: string,
): Promise<{ readonly last_position: number } | undefined> {
  return await trx
    .selectFrom("webhook_streams")
    .select("last_position")
    .where("topic_id", "=", topicId)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * DELETE /api/topics/{topicId}/webhooks/{webhookId}
 * @throws Refusal topic_not_found, not_a_member, role_required, webhook_not_found
 */
export const deleteWebhook: Handler<typeof contract.webhooks.delete> = async (
  { caller, db, now },
  { topicId, webhookId },
) => {
  await transact(db, async (trx) => {
    await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const gone = await trx
      .deleteFrom("webhooks")
      .where("id", "=", webhookId)
      .where("topic_id", "=", topicId)
      .returning("url")
      .executeTakeFirst();
    if (!gone) throw new Refusal("webhook_not_found");
    await logHost(trx, "webhook_deleted", { topicId, actorId: caller.userId, now: now() }, gone.url);
  });
  return { success: true };
};
