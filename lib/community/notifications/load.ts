import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import type { NotificationKind, Role } from "@/lib/contract";

/** A notification with the live rows it is about; those that are gone are null. */
export interface NotificationRow {
  readonly id: string;
  /** Counts from 1 within the inbox. */
  readonly key: number;
  readonly kind: NotificationKind;
  readonly created_at: Date;
  readonly read_at: Date | null;
  readonly reason: string | null;
  readonly details: Readonly<Record<string, string>>;
  readonly actor_id: string | null;
  readonly actor_nickname: string;
  readonly actor_image: string | null;
  readonly topic_id: string | null;
  readonly topic_title: string;
  readonly visibility: Visibility;
  /** The reader's, in the topic. */
  readonly role: Role | null;
  readonly post_id: string | null;
  readonly post_title: string;
  readonly summary: string;
  readonly post_deleted: boolean;
  readonly post_hidden: boolean;
  readonly post_mine: boolean;
  readonly comment_id: string | null;
  /** The beginning of its text. */
  readonly comment_text: string;
  readonly comment_deleted: boolean;
  readonly comment_hidden: boolean;
  readonly comment_mine: boolean;
  /** The beginning of the chat message. */
  readonly message: string | null;
}

/** Characters of a text that are read for an excerpt: white space in it does not count later. */
const readLength = 1_000;

/**
 * Notifications of a user with all their views need, in one query, whatever their number.
 * @param which condition, order and limit over `n`
 */
export async function loadNotifications(
  db: Db,
  userId: string,
  which: RawBuilder<unknown>,
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select n.id, n.position as key, n.kind, n.created_at, n.read_at, n.reason, n.details,
      a.id as actor_id, a.nickname as actor_nickname, a.profile_image as actor_image,
      t.id as topic_id, t.title as topic_title, t.visibility, m.role,
      p.id as post_id, p.title as post_title, p.summary, p.deleted_at is not null as post_deleted,
      p.hidden_at is not null as post_hidden, p.author_id = n.user_id as post_mine,
      c.id as comment_id, left(c.content, ${readLength}) as comment_text, c.deleted_at is not null as comment_deleted,
      c.hidden_at is not null as comment_hidden, c.author_id = n.user_id as comment_mine,
      left(g.message, ${readLength}) as message
    from notifications n
    left join users a on a.id = n.actor_id and a.deleted_at is null
    left join topics t on t.id = n.topic_id
    left join memberships m on m.topic_id = n.topic_id and m.user_id = n.user_id
    left join posts p on p.id = n.post_id
    left join comments c on c.id = n.comment_id
    left join chat_messages g on n.kind = 'chat_mention' and g.id = (n.details->>'messageId')::uuid
    where n.user_id = ${userId} ${which}`.execute(db);
  return rows;
}
