import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import type { Notification, NotificationKind, Role } from "@/lib/contract";
import { conversationKinds } from "@/lib/contract/notification-kinds";
import { shorten } from "@/lib/html";
import { readsMessage } from "@/lib/policy/chat";
import { readerWith } from "@/lib/policy/decision";
import { proofState } from "@/lib/policy/freshness";
import { commentAccess, postAccess } from "@/lib/policy/post";
import { topicAccess } from "@/lib/policy/topic";

/** Characters of an excerpt. */
const EXCERPT_LENGTH = 140;

/** Kinds that name the actor. In all others staff and operators act as one, and only lists of reports name a reporter. */
const WITH_ACTOR: ReadonlySet<NotificationKind> = new Set([
  ...conversationKinds,
  "join_request",
  "role_changed",
  "ownership_received",
  "ownership_offered",
  "ownership_accepted",
  "ownership_declined",
]);

/** Returns a notification as its reader may see it now, without what has been hidden, deleted or closed to them. */
export function notificationView(row: NotificationRow): Notification {
  const seen = contentOf(row);
  // A deleted comment does not name its author anywhere.
  const actorKnown = row.actor_id !== null && WITH_ACTOR.has(row.kind) && !row.comment_deleted;
  return {
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    isRead: row.read_at !== null,
    actor:
      actorKnown && row.actor_id !== null
        ? { userId: row.actor_id, nickname: row.actor_nickname, profileImage: row.actor_image }
        : null,
    topicId: row.topic_id,
    topicTitle: seen.topicTitle,
    postId: row.post_id,
    postTitle: seen.postTitle,
    commentId: row.comment_id,
    excerpt:
      seen.excerpt === null || row.actor_blocked
        ? null
        : shorten(seen.excerpt.replace(/\s+/gu, " ").trim(), EXCERPT_LENGTH),
    reason: row.reason,
    details: row.details,
  };
}

interface Content {
  readonly topicTitle: string | null;
  readonly postTitle: string | null;
  readonly excerpt: string | null;
}

/** Returns titles and text, as far as the policies let this reader see them. */
function contentOf(row: NotificationRow): Content {
  if (row.topic_id === null) return { topicTitle: null, postTitle: null, excerpt: null };
  const viewer = readerWith(row.role, proofState(row.reprove_by, new Date()));
  const topic = topicAccess(row, viewer);
  const topicTitle = topic.see === "allowed" ? row.topic_title : null;
  if (row.post_id === null) {
    const message = { deleted: row.message_deleted, hidden: row.message_hidden, mine: row.message_mine };
    const isShown = topic.readChat === "allowed" && readsMessage(message, viewer);
    return { topicTitle, postTitle: null, excerpt: isShown ? row.message : null };
  }
  const post = {
    visibility: row.visibility,
    deleted: row.post_deleted,
    hidden: row.post_hidden,
    mine: row.post_mine,
  };
  const { read, readBody } = postAccess(post, viewer);
  const mayRead = read === "allowed";
  const postTitle = mayRead && readBody ? row.post_title : null;
  if (row.comment_id === null)
    return { topicTitle, postTitle, excerpt: postTitle === null ? null : row.summary };
  const comment = { deleted: row.comment_deleted, hidden: row.comment_hidden, mine: row.comment_mine };
  const commentShown = mayRead && commentAccess(comment, post, viewer).readBody;
  return { topicTitle, postTitle, excerpt: commentShown ? row.comment_text : null };
}

/** A notification with the current rows it is about; null for rows that are gone. */
export interface NotificationRow {
  readonly id: string;
  /** Position in the inbox, from 1. */
  readonly key: number;
  readonly kind: NotificationKind;
  readonly created_at: Date;
  readonly read_at: Date | null;
  readonly reason: string | null;
  readonly details: Readonly<Record<string, string>>;
  readonly actor_id: string | null;
  readonly actor_nickname: string;
  readonly actor_image: string | null;
  /** Whether the reader blocked the actor. */
  readonly actor_blocked: boolean;
  readonly topic_id: string | null;
  readonly topic_title: string;
  readonly visibility: Visibility;
  /** The reader's role in the topic. */
  readonly role: Role | null;
  /** When their membership lapses without a new proof. */
  readonly reprove_by: Date | null;
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
  readonly message_deleted: boolean;
  readonly message_hidden: boolean;
  readonly message_mine: boolean;
}

/** Characters read for an excerpt, more than it shows since it collapses white space. */
const READ_LENGTH = 1_000;

/**
 * Loads notifications of a user with everything their views show, in one query.
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
      k.blocked_id is not null as actor_blocked,
      t.id as topic_id, t.title as topic_title, t.visibility, m.role,
      m.reprove_by,
      p.id as post_id, p.title as post_title, p.summary, p.deleted_at is not null as post_deleted,
      p.hidden_at is not null as post_hidden, p.author_id = n.user_id as post_mine,
      c.id as comment_id, left(c.content, ${READ_LENGTH}) as comment_text, c.deleted_at is not null as comment_deleted,
      c.hidden_at is not null as comment_hidden, c.author_id = n.user_id as comment_mine,
      left(g.message, ${READ_LENGTH}) as message, g.deleted_at is not null as message_deleted,
      g.hidden_at is not null as message_hidden, g.user_id = n.user_id as message_mine
    from notifications n
    left join users a on a.id = n.actor_id and a.deleted_at is null
    left join blocks k on k.user_id = n.user_id and k.blocked_id = n.actor_id
    left join topics t on t.id = n.topic_id
    left join memberships m on m.topic_id = n.topic_id and m.user_id = n.user_id
    left join posts p on p.id = n.post_id
    left join comments c on c.id = n.comment_id
    left join chat_messages g on g.id = (n.details->>'messageId')::uuid
      and n.kind in ('chat_mention', 'chat_reply', 'message_hidden', 'message_shown', 'message_removed',
        'content_held', 'review_opened')
    where n.user_id = ${userId} ${which}`.execute(db);
  return rows;
}
