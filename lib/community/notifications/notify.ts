import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import type { NotificationKind, Role } from "@/lib/contract";
import { readerWith } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import type { Effects } from "../write";

/** What happened: somebody did something in a topic. */
export interface Act {
  readonly topicId: string;
  /** Who did it; is told nothing of it. */
  readonly actorId: string;
  readonly now: Date;
}

/** Who is told what of an act. Only ids are kept: what a notification shows is read anew for its reader (view.ts). */
export interface Notice {
  readonly kind: NotificationKind;
  /** User ids, in any order and number; repeated ones count once. */
  readonly to: readonly string[];
  readonly postId?: string | null;
  readonly commentId?: string | null;
  /** What a member of the staff gave as reason. */
  readonly reason?: string | null;
  /** Further facts, as text; nothing that could be deleted or hidden later. */
  readonly details?: Readonly<Record<string, string>>;
}

/** News for whoever has lost sight of the topic, or just did. */
const aboutLeaving: readonly NotificationKind[] = [
  "join_rejected",
  "member_removed",
  "member_banned",
  "member_unbanned",
];

/**
 * Notifies people of an act, in the transaction of the act itself and at its end: inboxes are locked last of all, in
 * the order of their users. One act tells one person once: of several notices the first that names them counts.
 * Nobody is told of what they did themselves; nor is somebody who withdrew, or may not read in the topic (any more).
 *
 * Two statements, whatever the number of people; none when there is nobody to tell.
 */
export async function notify(
  trx: Trx,
  effects: Effects,
  act: Act,
  notices: readonly Notice[],
): Promise<void> {
  const noticeOf = new Map<string, Notice>();
  for (const notice of notices) {
    for (const userId of notice.to) {
      if (userId !== act.actorId && !noticeOf.has(userId)) noticeOf.set(userId, notice);
    }
  }
  if (noticeOf.size === 0) return;
  const people = await lockPeople(trx, act, [...noticeOf.keys()]);
  const rows = people.flatMap((person) => {
    const notice = noticeOf.get(person.id);
    return notice && mayBeTold(person, notice.kind) ? rowOf(person.id, notice) : [];
  });
  if (rows.length === 0) return;
  await insertNotifications(trx, act, rows);
  effects.publish({ kind: "inbox", userIds: rows.map((row) => row.user_id) });
}

interface Person {
  readonly id: string;
  readonly visibility: Visibility;
  readonly role: Role | null;
}

/**
 * Users who have not withdrawn, the actor among them, and how they stand in the topic. Takes their rows before any
 * inbox: a withdrawal takes its user's row and then the inbox, so it is either over, and its user left out, or it waits.
 */
async function lockPeople(trx: Trx, { topicId, actorId }: Act, ids: readonly string[]): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select u.id, t.visibility, m.role from users u
    join topics t on t.id = ${topicId}
    left join memberships m on m.topic_id = t.id and m.user_id = u.id
    where u.id in (${sql.join([actorId, ...ids])}) and u.deleted_at is null
    order by u.id collate "C" for key share of u`.execute(trx);
  return rows;
}

function mayBeTold({ visibility, role }: Person, kind: NotificationKind): boolean {
  if (aboutLeaving.includes(kind)) return true;
  return topicAccess({ visibility }, readerWith(role)).readContent === "allowed";
}

function rowOf(userId: string, { kind, postId, commentId, reason, details }: Notice) {
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

/** Counts and numbers the rows in their inboxes, writes them, and leaves what is to be pushed. */
async function insertNotifications(
  trx: Trx,
  { topicId, actorId, now }: Act,
  rows: readonly ReturnType<typeof rowOf>[],
): Promise<void> {
  // Of a subscription that ends meanwhile the lock finds nothing, where the foreign key would fail the whole act.
  await sql`
    with told as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told (id uuid, user_id text, kind text,
        post_id uuid, comment_id uuid, reason text, details jsonb)
    ), box as (
      insert into inboxes (user_id, last_position, unread_count)
      select user_id, 1, 1 from told order by user_id collate "C"
      on conflict (user_id) do update
        set last_position = inboxes.last_position + 1, unread_count = inboxes.unread_count + 1
      returning user_id, last_position
    ), written as (
      insert into notifications (id, user_id, position, kind, actor_id, topic_id, post_id, comment_id, reason,
        details, created_at)
      select told.id, user_id, box.last_position, told.kind, ${actorId}, ${topicId}, told.post_id, told.comment_id,
        told.reason, told.details, ${now} from told join box using (user_id)
      returning id, user_id
    )
    insert into push_deliveries (subscription_id, notification_id, next_at)
    select s.id, written.id, ${now} from push_subscriptions s join written on written.user_id = s.user_id
    for key share of s`.execute(trx);
}
