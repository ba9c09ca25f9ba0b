import type { ColumnType, Generated } from "kysely";
import type { ChatMessage } from "@/lib/contract/chat";
import type { NotificationKind } from "@/lib/contract/notification-kinds";
import type { TopicEventKind } from "@/lib/contract/webhooks";

type Once<T> = ColumnType<T, T, never>;
/** Null until something happens. */
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface LiveTables {
  chat_rooms: {
    topic_id: string;
    /** Of the newest entry or change. */
    last_position: ColumnType<number, number | undefined, number>;
    /** Entries of type message. */
    message_count: ColumnType<number, number | undefined, number>;
    /** Time of the newest entry; the next one is later. */
    last_at: Date;
  };

  chat_messages: {
    id: Generated<string>;
    topic_id: Once<string>;
    /** Counts from 1 within the topic, together with the positions of changes. */
    position: Once<number>;
    user_id: Once<string>;
    type: Once<ChatMessage["type"]>;
    /** Plain text; empty for a join or leave, and once deleted. */
    message: string;
    created_at: Once<Date>;
    /** The message it answers, in the same chat. */
    reply_to_id: ColumnType<string | null, string | null | undefined, never>;
    edited_at: Later<Date>;
    deleted_at: Later<Date>;
    deleted_by: Later<"author" | "admin">;
    hidden_at: Later<Date>;
    hidden_by: Later<string>;
    /** Position of its newest change, as in chat_changes; null while it is as it was sent. */
    changed_position: Later<number>;
    automated: ColumnType<boolean, boolean | undefined, boolean>;
    /** Number of members by emoji. */
    reactions: ColumnType<Readonly<Partial<Record<string, number>>>, never, string>;
  };

  /** The newest change of a message, where its chat's stream finds it. */
  chat_changes: {
    message_id: string;
    topic_id: string;
    position: number;
  };

  /** A reaction of a member to a message. */
  chat_reactions: {
    message_id: string;
    user_id: string;
    emoji: string;
    created_at: Date;
  };

  /** A server process that holds event streams. */
  live_processes: {
    id: string;
    seen_at: Date;
  };

  /** An open chat stream. */
  chat_connections: {
    id: string;
    topic_id: string;
    user_id: string;
    process_id: string;
    connected_at: Date;
  };

  /** A member mentioned as @nickname when it was written. */
  mentions: {
    post_id: string;
    /** Null when the post itself mentions them. */
    comment_id: string | null;
    user_id: string;
  };

  inboxes: {
    user_id: string;
    last_position: ColumnType<number, number | undefined, number>;
    unread_count: ColumnType<number, number | undefined, number>;
  };

  notifications: {
    id: Generated<string>;
    user_id: Once<string>;
    /** Counts from 1 within the inbox. */
    position: Once<number>;
    kind: Once<NotificationKind>;
    actor_id: Once<string | null>;
    topic_id: Once<string | null>;
    post_id: Once<string | null>;
    comment_id: Once<string | null>;
    reason: Once<string | null>;
    details: ColumnType<Readonly<Record<string, string>>, string, never>;
    created_at: Once<Date>;
    read_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  };

  /** A browser that receives push messages, as long as its session lasts. */
  push_subscriptions: {
    id: Generated<string>;
    user_id: string;
    session_id: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    label: string;
    created_at: Date;
  };

  /** Where what happens in a topic is sent. */
  webhooks: {
    id: Generated<string>;
    topic_id: Once<string>;
    /** Who made it or resumed it, and must be of the topic's staff for as long as it is sent to. */
    user_id: string;
    url: Once<string>;
    events: ColumnType<TopicEventKind[], TopicEventKind[], never>;
    /** Of the last event that was accepted or passed over. */
    position: number;
    attempts: ColumnType<number, number | undefined, number>;
    failing_since: Later<Date>;
    stopped_at: Later<Date>;
    /** When to send; null where nothing waits. */
    next_at: Later<Date>;
    created_at: Once<Date>;
  };

  /** Topics that have or had webhooks, and the number of the last event of each. */
  webhook_streams: {
    topic_id: Once<string>;
    last_position: ColumnType<number, number | undefined, number>;
  };

  /** What happened in a topic with webhooks (triggers of migration 044). */
  topic_events: {
    id: Generated<string>;
    topic_id: string;
    /** Null until it is numbered. */
    position: number | null;
    kind: TopicEventKind;
    post_id: string | null;
    comment_id: string | null;
    message_id: string | null;
    user_id: string | null;
    at: Date;
  };

  push_deliveries: {
    subscription_id: string;
    notification_id: string;
    attempts: ColumnType<number, number | undefined, number>;
    next_at: Date;
  };
}
