import type { ColumnType, Generated } from "kysely";
import type { DraftContent, WaitingPost } from "@/lib/contract/drafts";
import type { NotificationKind, NotificationLevel, ThreadLevel } from "@/lib/contract/notification-kinds";

type Once<T> = ColumnType<T, T, never>;

/** What members decide for themselves. Nobody else sees any of it. */
export interface MemberTables {
  /** `user_id` blocked `blocked_id`, who is not told. */
  blocks: {
    user_id: Once<string>;
    blocked_id: Once<string>;
    created_at: Once<Date>;
  };

  /** `user_id` follows `followed_id`, who is not told. */
  follows: {
    user_id: Once<string>;
    followed_id: Once<string>;
    created_at: Once<Date>;
  };

  /** Users who are told regularly what is new in their topics. */
  digests: {
    user_id: Once<string>;
    every: "day" | "week";
    next_at: Date;
    /** A hash of what the last one counted; null before the first. */
    last_told: string | null;
  };

  /** The address at which a feed reader gets a user's own feed: who knows it needs no session. */
  private_feeds: {
    user_id: Once<string>;
    /** SHA-256 of the token in the address, in hex. */
    token_hash: string;
    created_at: Date;
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

  /** What of a post's comments a member wants; without a row, "follow". It goes with the membership. */
  thread_levels: {
    user_id: Once<string>;
    post_id: Once<string>;
    topic_id: Once<string>;
    level: Exclude<ThreadLevel, "follow">;
    created_at: Once<Date>;
  };

  /** A post that a user is writing, kept for their other devices because they asked for it. */
  drafts: {
    user_id: Once<string>;
    topic_id: Once<string>;
    content: ColumnType<DraftContent, string, string>;
    version: number;
    updated_at: Date;
  };

  /** A post that is published at its time, or was refused then: `problem` says why, as the code of an error. */
  scheduled_posts: {
    id: Generated<string>;
    user_id: Once<string>;
    topic_id: Once<string>;
    content: ColumnType<WaitingPost, string, string>;
    publish_at: Date;
    problem: string | null;
    automated: Once<boolean>;
    created_at: Once<Date>;
  };

  /** A post or comment of which watchers are still to be told, up to which user they were, in the order of "C". */
  announcements: {
    id: Generated<string>;
    post_id: Once<string>;
    comment_id: Once<string | null>;
    told_up_to: string;
    created_at: Once<Date>;
  };

  /**
   * How far a member has read a topic: posts and chat entries up to these positions. Without a row, posts to 0 and the
   * chat to its chat_starts. It goes with the membership.
   */
  topic_reads: {
    user_id: Once<string>;
    topic_id: Once<string>;
    post_position: number;
    chat_position: number;
    read_at: Date;
  };

  /** How far a member has read the comments of a post that they opened. It goes with the membership. */
  thread_reads: {
    user_id: Once<string>;
    post_id: Once<string>;
    topic_id: Once<string>;
    position: number;
    read_at: Date;
  };

  /** Position of chats that are older than read marks, when these came. */
  chat_starts: {
    topic_id: Once<string>;
    position: Once<number>;
  };
}
