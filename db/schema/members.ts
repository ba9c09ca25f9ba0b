import type { ColumnType } from "kysely";
import type { NotificationKind, NotificationLevel } from "@/lib/contract/notification-kinds";

type Once<T> = ColumnType<T, T, never>;

/** What members decide for themselves. Nobody else sees any of it. */
export interface MemberTables {
  /** `user_id` blocked `blocked_id`, who is not told. */
  blocks: {
    user_id: Once<string>;
    blocked_id: Once<string>;
    created_at: Once<Date>;
  };

  /** Topics that send their reader nothing, and whose posts leave the reader's feed. */
  topic_mutes: {
    user_id: Once<string>;
    topic_id: Once<string>;
    created_at: Once<Date>;
  };

  /** What notifies a user. Without a row, a kind does so in the app and by push. */
  notification_settings: {
    user_id: Once<string>;
    kind: Once<NotificationKind>;
    in_app: boolean;
    push: boolean;
  };

  /** What of a topic notifies a user; without a row, all. */
  topic_notification_levels: {
    user_id: Once<string>;
    topic_id: Once<string>;
    level: Exclude<NotificationLevel, "all">;
    created_at: Once<Date>;
  };
}
