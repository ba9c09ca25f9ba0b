import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { NotificationKind } from "@/lib/contract";
import { proofState } from "@/lib/policy/freshness";
import { deliveryOf, type RecipientState } from "@/lib/policy/notification";
import type { Effects } from "../write";

/** An action, in a topic unless it is about an account. */
export interface Act {
  readonly topicId: string | null;
  /** The user who did it, who gets no notification of it; null if it happened by itself. */
  readonly actorId: string | null;
  readonly now: Date;
}

/** A notification to send. It stores only ids: its view reads the content again for its reader (view.ts). */
export interface NewNotification {
  readonly kind: NotificationKind;
  /** User ids in any order; duplicates count once. */
  readonly to: readonly string[];
  readonly postId?: string | null;
  readonly commentId?: string | null;
  /** The reason that staff gave. */
  readonly reason?: string | null;
  /** Further facts, as text; nothing that could be deleted or hidden later. */
  readonly details?: Readonly<Record<string, string>>;
}

/**
 * Notifies users of an action, at the end of its transaction: inboxes are locked last, in the order of their users. One
 * action notifies a user once, with the first of the notifications that reaches them: a reply that mentions a user who
 * turned replies off is a mention. It does not notify the actor or withdrawn users; for all others, `deliveryOf` decides.
 *
 * Runs two statements, whatever the number of users, or none if there is nobody to notify. Both also run if nobody
 * receives a notification, so that the actor cannot tell from the time who blocked them.
 */
export async function notify(
  trx: Trx,
  effects: Effects,
  act: Act,
  notifications: readonly NewNotification[],
): Promise<void> {
  const byUser = new Map<string, NewNotification[]>();
  for (const notification of notifications) {
    for (const userId of notification.to) {
      if (userId === act.actorId) continue;
      byUser.set(userId, [...(byUser.get(userId) ?? []), notification]);
    }
  }
  if (byUser.size === 0) return;
  const recipients = await lockRecipients(trx, act, byUser);
  const rows: ReturnType<typeof rowOf>[] = [];
  for (const [userId, candidates] of byUser) {
    for (const notification of candidates) {
      const recipient = recipients.get(nameOf(userId, notification.kind));
      const delivery = recipient && deliveryOf(notification.kind, recipient);
      if (!delivery?.inApp) continue;
      rows.push(rowOf(userId, notification, delivery.push));
      break;
    }
  }
  await insertNotifications(trx, act, rows);
  if (rows.length > 0) effects.publish({ kind: "inbox", userIds: rows.map((row) => row.user_id) });
}

/** Says in a notification about content that operators did it, and not the topic's staff. */
export function byOperators(operators: boolean): Readonly<Record<string, string>> {
  return operators ? { by: "operators" } : {};
}

/** A user and a kind that they may be notified of. */
interface Recipient extends RecipientState {
  readonly id: string;
  /** Null for the actor. */
  readonly kind: NotificationKind | null;
}

const nameOf = (userId: string, kind: NotificationKind | null) => `${userId} ${kind}`;

/**
 * Locks the users who have not withdrawn, including the actor, and returns what the policy needs of each for each kind.
 * It locks users before inboxes, as a withdrawal does: so a withdrawal is either over, which leaves its user out, or
 * waits.
 */
async function lockRecipients(
  trx: Trx,
  { topicId, actorId, now }: Act,
  byUser: ReadonlyMap<string, readonly NewNotification[]>,
): Promise<ReadonlyMap<string, Recipient>> {
  const asked = [...byUser].flatMap(([userId, candidates]) =>
    [...new Set(candidates.map(({ kind }) => kind))].map((kind) => ({ userId, kind })),
  );
  // An action is about one post at most.
  const postId = [...byUser.values()].flat().find((sent) => sent.postId)?.postId ?? null;
  const ids = asked.map(({ userId }) => userId);
  const kinds = asked.map(({ kind }) => kind);
  const { rows } = await sql<Omit<Recipient, "proof"> & { readonly reprove_by: Date | null }>`
    select u.id, sent.kind, t.visibility, m.role, m.reprove_by,
      exists (select from blocks k where k.user_id = u.id and k.blocked_id = ${actorId}::text) as blocked,
      exists (select from topic_mutes q where q.user_id = u.id and q.topic_id = t.id) as "topicMuted",
      exists (select from thread_levels h
        where h.user_id = u.id and h.post_id = ${postId}::uuid and h.level = 'mute') as "threadMuted",
      coalesce(l.level, 'all') as level, coalesce(s.in_app, true) as "inApp", coalesce(s.push, true) as push
    from users u
    left join topics t on t.id = ${topicId}::uuid
    left join memberships m on m.topic_id = t.id and m.user_id = u.id
    left join topic_notification_levels l on l.topic_id = t.id and l.user_id = u.id
    left join unnest(${ids}::text[], ${kinds}::text[]) as sent (user_id, kind) on sent.user_id = u.id
    left join notification_settings s on s.user_id = u.id and s.kind = sent.kind
    where u.id = any(${[actorId, ...ids]}::text[]) and u.deleted_at is null
      and (${topicId}::uuid is null or t.id is not null)
    order by u.id collate "C" for key share of u`.execute(trx);
  return new Map(
    rows.map((row) => [nameOf(row.id, row.kind), { ...row, proof: proofState(row.reprove_by, now) }]),
  );
}

function rowOf(userId: string, { kind, postId, commentId, reason, details }: NewNotification, push: boolean) {
  return {
    id: randomUUID(),
    user_id: userId,
    kind,
    post_id: postId ?? null,
    comment_id: commentId ?? null,
    reason: reason ?? null,
    details: details ?? {},
    push,
  };
}

/** Counts and numbers notifications in their inboxes, writes them, and queues their push messages. */
async function insertNotifications(
  trx: Trx,
  { topicId, actorId, now }: Act,
  rows: readonly ReturnType<typeof rowOf>[],
): Promise<void> {
  // The lock skips a subscription that ends concurrently, which would otherwise break the foreign key.
  await sql`
    with sent as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as sent (id uuid, user_id text, kind text,
        post_id uuid, comment_id uuid, reason text, details jsonb, push boolean)
    ), inbox as (
      insert into inboxes (user_id, last_position, unread_count)
      select user_id, 1, 1 from sent order by user_id collate "C"
      on conflict (user_id) do update
        set last_position = inboxes.last_position + 1, unread_count = inboxes.unread_count + 1
      returning user_id, last_position
    ), written as (
      insert into notifications (id, user_id, position, kind, actor_id, topic_id, post_id, comment_id, reason,
        details, created_at)
      select sent.id, user_id, inbox.last_position, sent.kind, ${actorId}, ${topicId}, sent.post_id, sent.comment_id,
        sent.reason, sent.details, ${now} from sent join inbox using (user_id)
      returning id, user_id
    )
    insert into push_deliveries (subscription_id, notification_id, next_at)
    select s.id, written.id, ${now} from push_subscriptions s join written on written.user_id = s.user_id
    join sent on sent.id = written.id and sent.push
    for key share of s`.execute(trx);
}
