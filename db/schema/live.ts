import type { ColumnType, Generated } from "kysely";
import type { ChatMessage } from "@/lib/contract/chat";
import type { NotificationKind } from "@/lib/contract/notifications";

type Once<T> = ColumnType<T, T, never>;

export interface LiveTables {
  chat_rooms: {
    topic_id: string;
    /** Of the newest entry. */
    last_position: ColumnType<number, number | undefined, number>;
    /** Entries of type message. */
    message_count: ColumnType<number, number | undefined, number>;
    /** Time of the newest entry; the next one is later. */
    last_at: Date;
  };

  chat_messages: {
    id: Generated<string>;
    topic_id: Once<string>;
    /** Counts from 1 within the topic, without gaps except for deleted joins and leaves. */
    position: Once<number>;
    user_id: Once<string>;
    type: Once<ChatMessage["type"]>;
    /** Plain text; empty for a join or leave. */
    message: Once<string>;
    created_at: Once<Date>;
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

  push_deliveries: {
    subscription_id: string;
    notification_id: string;
    attempts: ColumnType<number, number | undefined, number>;
    next_at: Date;
  };
}
