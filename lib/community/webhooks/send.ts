import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import type { Db, Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import { LIMITS } from "@/lib/contract/limits";
import type { Delivery, TopicEventKind } from "@/lib/contract/webhooks";
import { isRefusal } from "@/lib/errors";
import { log } from "@/lib/log";
import { absentCaller } from "@/lib/session/caller";
import { transact } from "@/lib/sql/transact";
import { authorizeTopic } from "../topics/load";
import { lockStream } from "./manage";

type Sending = Pick<MemberContext, "db" | "web" | "now" | "adminUserIds" | "webhookSecretOf">;

/** Webhooks that are sent to at the same time. */
const ROUND = 20;
/** How long a process has for a delivery; after a crash another process takes it. */
const LEASE_MS = 60_000;
/** Delays after each failure; the last one again and again. */
const RETRY_MS = [10_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000];
/** How long a receiver may fail before sending stops. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;
/** The longest wait that a receiver can ask for. */
const MAX_WAIT_SECONDS = 3600;

/** Numbers what happened, and sends it. Any number of processes may do so at once. */
export async function sendWebhooks(services: Sending): Promise<void> {
  await numberEvents(services);
  for (;;) {
    const due = await takeDue(services.db, services.now());
    await Promise.all(due.map((webhook) => sendNext(services, webhook)));
    if (due.length === 0) return;
  }
}

/** Numbers the events that were committed since the last round, and makes the webhooks of their topics due. */
async function numberEvents({ db, now }: Pick<Sending, "db" | "now">): Promise<void> {
  const topics = await db
    .selectFrom("topic_events")
    .select("topic_id")
    .distinct()
    .where("position", "is", null)
    .execute();
  for (const { topic_id: topicId } of topics) {
    await transact(db, async (trx) => {
      const stream = await lockStream(trx, topicId);
      if (!stream) return await trx.deleteFrom("topic_events").where("topic_id", "=", topicId).execute();
      const last = stream.last_position;
      const { rows } = await sql<{ position: number }>`
        with numbered as (
          select id, row_number() over (order by id) as n from topic_events
          where topic_id = ${topicId} and position is null
        )
        update topic_events e set position = ${last}::bigint + n from numbered
        where e.id = numbered.id returning e.position`.execute(trx);
      const position = Math.max(last, ...rows.map((row) => row.position));
      await trx
        .updateTable("webhook_streams")
        .set({ last_position: position })
        .where("topic_id", "=", topicId)
        .execute();
      await trx
        .updateTable("webhooks")
        .set({ next_at: now() })
        .where("topic_id", "=", topicId)
        .where("next_at", "is", null)
        .where("stopped_at", "is", null)
        .execute();
    });
  }
}

interface DueWebhook {
  readonly id: string;
  readonly topic_id: string;
  readonly user_id: string;
  readonly url: string;
  readonly events: readonly TopicEventKind[];
  readonly position: number;
  readonly attempts: number;
  readonly failing_since: Date | null;
  /** Until when this process has it. */
  readonly next_at: Date;
}

/** Takes due webhooks; several processes take different ones. */
async function takeDue(db: Db, now: Date): Promise<DueWebhook[]> {
  const { rows } = await sql<DueWebhook>`
    update webhooks w set next_at = ${new Date(now.getTime() + LEASE_MS)}
    from (select id from webhooks where next_at <= ${now} order by next_at limit ${ROUND} for update skip locked) due
    where w.id = due.id
    returning w.id, w.topic_id, w.user_id, w.url, w.events, w.position, w.attempts, w.failing_since, w.next_at`.execute(
    db,
  );
  return rows;
}

/** Sends the next events of a webhook, or finds that there are none. */
async function sendNext(services: Sending, webhook: DueWebhook): Promise<void> {
  const { db, now } = services;
  if (!(await isStaff(services, webhook))) return await stop(db, webhook, now());
  const rows = await db
    .selectFrom("topic_events")
    .selectAll()
    .where("topic_id", "=", webhook.topic_id)
    .where("position", ">", webhook.position)
    .orderBy("position")
    .limit(LIMITS.webhooks.batch)
    .execute();
  const last = rows.at(-1)?.position;
  if (last === undefined || last === null) return await rest(db, webhook, now());
  const wanted = rows.filter(({ kind }) => webhook.events.includes(kind));
  const events = wanted.map((row) => ({
    cursor: row.position ?? 0,
    kind: row.kind,
    at: row.at.toISOString(),
    ...(row.post_id && { postId: row.post_id }),
    ...(row.comment_id && { commentId: row.comment_id }),
    ...(row.message_id && { messageId: row.message_id }),
    ...(row.user_id && { userId: row.user_id }),
  }));
  const delivery = { webhookId: webhook.id, topicId: webhook.topic_id, cursor: last, events };
  const { status, retryAfter } = events.length > 0 ? await post(services, webhook, delivery) : accepted;
  if (status >= 200 && status < 300) return await advance(db, webhook, last, now());
  if (status === 410) return await stop(db, webhook, now());
  await putOff(db, webhook, retryAfter, now());
}

const accepted = { status: 200, retryAfter: null };

/** Whether whoever answers for a webhook may still know what happens in the topic. */
async function isStaff(services: Sending, { user_id, topic_id }: DueWebhook): Promise<boolean> {
  const caller = await absentCaller(services, user_id);
  if (!caller) return false;
  try {
    await authorizeTopic(services.db, topic_id, caller, "moderate");
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Sends one delivery; status 0 without an answer, or for an address that may not be requested. */
async function post({ web, now, webhookSecretOf }: Sending, { id, url }: DueWebhook, delivery: Delivery) {
  const body = JSON.stringify(delivery);
  const [first] = delivery.events;
  // The same for the same events: a repetition that has more of them is another message.
  const message = `${id}.${first?.cursor ?? 0}-${delivery.cursor}`;
  try {
    const headers = signedHeaders(webhookSecretOf(id), message, now(), body);
    return await web.post(web.read(url, "url"), { headers, body: new TextEncoder().encode(body) });
  } catch {
    return { status: 0, retryAfter: null };
  }
}

/** Returns the headers of a delivery (Standard Webhooks 1.0). @param id the same whenever the same events are sent */
function signedHeaders(secret: string, id: string, at: Date, body: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Parley webhook",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
}

/**
 * The receiver has everything up to a position, and the next events are due. Like all that follows a delivery, it changes
 * nothing once staff sent the webhook back or resumed it meanwhile: then it is no longer this process that has it.
 */
async function advance(db: Db, { id, next_at: lease }: DueWebhook, to: number, now: Date): Promise<void> {
  await db
    .updateTable("webhooks")
    .set({ position: to, attempts: 0, failing_since: null, next_at: now })
    .where("id", "=", id)
    .where("next_at", "=", lease)
    .execute();
}

/** Nothing waits, unless an event was numbered meanwhile: the lock of the numbering tells, and it is due at once. */
async function rest(db: Db, { id, topic_id, next_at: lease }: DueWebhook, now: Date): Promise<void> {
  await transact(db, async (trx: Trx) => {
    const last = (await lockStream(trx, topic_id))?.last_position ?? 0;
    await trx
      .updateTable("webhooks")
      .set({ next_at: sql`case when position < ${last}::bigint then ${now}::timestamptz end` })
      .where("id", "=", id)
      .where("next_at", "=", lease)
      .execute();
  });
}

async function putOff(db: Db, webhook: DueWebhook, retryAfter: string | null, now: Date): Promise<void> {
  const { id, attempts, failing_since, next_at: lease } = webhook;
  const since = failing_since ?? now;
  if (now.getTime() - since.getTime() >= GIVE_UP_MS) return await stop(db, webhook, now);
  const wait = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] ?? 0;
  const asked = /^\d{1,5}$/.test(retryAfter ?? "")
    ? Math.min(Number(retryAfter), MAX_WAIT_SECONDS) * 1000
    : 0;
  await db
    .updateTable("webhooks")
    .set({
      attempts: attempts + 1,
      failing_since: since,
      next_at: new Date(now.getTime() + Math.max(wait, asked)),
    })
    .where("id", "=", id)
    .where("next_at", "=", lease)
    .execute();
}

/** Sends no more until staff resume it. Its place is kept. */
async function stop(db: Db, { id, url, attempts, next_at: lease }: DueWebhook, now: Date): Promise<void> {
  await db
    .updateTable("webhooks")
    .set({ stopped_at: now, next_at: null })
    .where("id", "=", id)
    .where("next_at", "=", lease)
    .execute();
  log.warn({ host: new URL(url).host, attempts }, "stopped a webhook");
}

/** Deletes events that can no longer be sent again. */
export async function forgetTopicEvents(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - LIMITS.days.topicEvent * 86_400_000);
  await db.deleteFrom("topic_events").where("at", "<", since).execute();
}
