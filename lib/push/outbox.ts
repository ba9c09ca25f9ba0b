import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { NotificationKind } from "@/lib/contract";

/** Something to be sent to a browser. */
export interface Delivery {
  readonly subscriptionId: string;
  readonly notificationId: string;
  /** How often it was tried, this time included. */
  readonly attempts: number;
}

/** What a delivery needs to be sent. */
export interface Parcel extends Delivery {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly kind: NotificationKind;
  readonly topicId: string | null;
  readonly postId: string | null;
  readonly commentId: string | null;
}

/** Whoever takes a delivery has as long for it; after a crash another takes it then. */
const leaseMs = 2 * 60 * 1000;
/** What is older is no news any more. */
const newsMs = 24 * 60 * 60 * 1000;

/** Takes up to `limit` deliveries that are due. Of several processes each takes others. */
export async function takeDue(db: Db, now: Date, limit: number): Promise<Delivery[]> {
  const lease = new Date(now.getTime() + leaseMs);
  const { rows } = await sql<Delivery>`
    update push_deliveries d set attempts = d.attempts + 1, next_at = ${lease}
    from (
      select subscription_id, notification_id from push_deliveries where next_at <= ${now}
      order by next_at limit ${limit} for update skip locked
    ) due
    where d.subscription_id = due.subscription_id and d.notification_id = due.notification_id
    returning d.subscription_id as "subscriptionId", d.notification_id as "notificationId", d.attempts`.execute(
    db,
  );
  return rows;
}

/**
 * What is still worth sending of deliveries: not read meanwhile, not old, and to a browser whose session goes on and
 * that is still this reader's.
 */
export async function openParcels(db: Db, due: readonly Delivery[], now: Date): Promise<Parcel[]> {
  if (due.length === 0) return [];
  const { rows } = await sql<Parcel>`
    select due."subscriptionId", due."notificationId", due.attempts, s.endpoint, s.p256dh, s.auth,
      n.kind, n.topic_id as "topicId", n.post_id as "postId", n.comment_id as "commentId"
    from jsonb_to_recordset(${JSON.stringify(due)}::jsonb)
      as due ("subscriptionId" uuid, "notificationId" uuid, attempts int)
    join push_subscriptions s on s.id = due."subscriptionId"
    join sessions e on e.id = s.session_id and e.expires_at > ${now}
    join notifications n on n.id = due."notificationId" and n.user_id = s.user_id and n.read_at is null
      and n.created_at > ${new Date(now.getTime() - newsMs)}`.execute(db);
  return rows;
}

/** Removes deliveries that are done with: taken, given up, or not worth sending. */
export async function dropDeliveries(db: Db, done: readonly Delivery[]): Promise<void> {
  if (done.length === 0) return;
  await sql`
    delete from push_deliveries d using jsonb_to_recordset(${JSON.stringify(done)}::jsonb)
      as done ("subscriptionId" uuid, "notificationId" uuid)
    where d.subscription_id = done."subscriptionId" and d.notification_id = done."notificationId"`.execute(
    db,
  );
}

/** Tries a delivery again at this time. */
export async function putOff(db: Db, { subscriptionId, notificationId }: Delivery, at: Date): Promise<void> {
  await db
    .updateTable("push_deliveries")
    .set({ next_at: at })
    .where("subscription_id", "=", subscriptionId)
    .where("notification_id", "=", notificationId)
    .execute();
}

/** Removes a subscription that its push service does not know any more, and all that waits for it. */
export async function dropSubscription(db: Db, id: string, endpoint: string): Promise<void> {
  await db.deleteFrom("push_subscriptions").where("id", "=", id).where("endpoint", "=", endpoint).execute();
}
