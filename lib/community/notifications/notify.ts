import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import type { NotificationKind, Role } from "@/lib/contract";
import { readerWith } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import type { Effects } from "../write";

/** An action, in a topic unless it is about an account. */
export interface Act {
  readonly topicId: string | null;
  /** The user who did it, who gets no notification of it. */
  readonly actorId: string;
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

/** Kinds that reach users who cannot see the topic, or no longer can. */
const FOR_NON_MEMBERS: readonly NotificationKind[] = [
  "join_rejected",
  "member_removed",
  "member_banned",
  "member_unbanned",
];

/**
 * Notifies users of an action, at the end of its transaction: inboxes are locked last, in the order of their users. One
 * action notifies a user once, with the first of the notifications that names them. It does not notify the actor,
 * withdrawn users, or users who may not read the topic.
 *
 * Runs two statements, whatever the number of users, or none if there is nobody to notify.
 */
export async function notify(
  trx: Trx,
  effects: Effects,
  act: Act,
  notifications: readonly NewNotification[],
): Promise<void> {
  const byUser = new Map<string, NewNotification>();
  for (const notification of notifications) {
    for (const userId of notification.to) {
      if (userId !== act.actorId && !byUser.has(userId)) byUser.set(userId, notification);
    }
  }
  if (byUser.size === 0) return;
  const recipients = await lockRecipients(trx, act, [...byUser.keys()]);
  const rows = recipients.flatMap((recipient) => {
    const notification = byUser.get(recipient.id);
    return notification && mayReceive(recipient, notification.kind) ? rowOf(recipient.id, notification) : [];
  });
  if (rows.length === 0) return;
  await insertNotifications(trx, act, rows);
  effects.publish({ kind: "inbox", userIds: rows.map((row) => row.user_id) });
}

/** Says in a notification of a deletion that operators did it, and not the topic's staff. */
export function removedBy(operators: boolean): Readonly<Record<string, string>> {
  return operators ? { by: "operators" } : {};
}

interface Recipient {
  readonly id: string;
  /** Of the action's topic; null if it has none. */
  readonly visibility: Visibility | null;
  readonly role: Role | null;
}

/**
 * Locks the users who have not withdrawn, including the actor, and returns them with their role. It locks users before
 * inboxes, as a withdrawal does: so a withdrawal is either over, which leaves its user out, or waits.
 */
async function lockRecipients(
  trx: Trx,
  { topicId, actorId }: Act,
  ids: readonly string[],
): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select u.id, t.visibility, m.role from users u
    left join topics t on t.id = ${topicId}::uuid
    left join memberships m on m.topic_id = t.id and m.user_id = u.id
    where u.id = any(${[actorId, ...ids]}::text[]) and u.deleted_at is null
      and (${topicId}::uuid is null or t.id is not null)
    order by u.id collate "C" for key share of u`.execute(trx);
  return rows;
}

function mayReceive({ visibility, role }: Recipient, kind: NotificationKind): boolean {
  if (visibility === null || FOR_NON_MEMBERS.includes(kind)) return true;
  return topicAccess({ visibility }, readerWith(role)).readContent === "allowed";
}

function rowOf(userId: string, { kind, postId, commentId, reason, details }: NewNotification) {
  return {
    id: randomUUID(),
    user_id: userId,
    kind,
    post_id: postId ?? null,
    comment_id: commentId ?? null,
    reason: reason ?? null,
    details: details ?? {},
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
        post_id uuid, comment_id uuid, reason text, details jsonb)
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
    for key share of s`.execute(trx);
}
