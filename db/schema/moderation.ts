import type { ColumnType, Generated } from "kysely";
import type { LogAction, ReportedKind, ReportReason, Snapshot } from "@/lib/contract/moderation";

type CreatedAt = ColumnType<Date, Date | undefined, never>;

export interface ReportTable {
  id: Generated<string>;
  topic_id: string;
  /** Null when a chat message was reported. */
  post_id: string | null;
  /** Null when the post itself was reported; the message's id where there is no post. */
  comment_id: string | null;
  /** Who wrote it; null in reports of before migration 018. */
  subject_id: ColumnType<string | null, string | null | undefined, string | null>;
  reporter_id: string;
  reason: ReportReason;
  details: string | null;
  status: "open" | "dismissed" | "resolved";
  created_at: CreatedAt;
  decided_at: Date | null;
  decided_by: string | null;
  /** Null in reports of before migration 018, and once it was erased. */
  snapshot: ColumnType<Snapshot | null, string | null | undefined, null>;
}

/** A report in the operators' queue. It outlives what was reported. */
export interface DeskReportTable {
  id: Generated<string>;
  kind: ReportedKind;
  /** Id of the post, comment, message or topic, user id, or id of the tag. */
  target_id: string;
  /** Where it is, if in a topic. */
  topic_id: string | null;
  post_id: string | null;
  /**
   * Who wrote or owns it; null for a tag, and for a profile, which `target_id` names: this id changes when the account is
   * withdrawn, and no row may connect the two.
   */
  subject_id: string | null;
  reporter_id: string;
  reason: ReportReason;
  details: string | null;
  /** Empty once it was erased. */
  snapshot: ColumnType<Snapshot, string, string>;
  /** SHA-256 of its pictures, hex. */
  file_digests: ColumnType<string[], string[] | undefined, string[]>;
  snapshot_erased_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  status: ReportTable["status"];
  created_at: ColumnType<Date, Date, never>;
  claimed_by: ColumnType<string | null, string | null | undefined, string | null>;
  claimed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  decided_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  decided_by: ColumnType<string | null, string | null | undefined, string | null>;
  /** The reason of the decision. */
  decision: ColumnType<string | null, string | null | undefined, string | null>;
}

/** A mute or ban; at most one of each kind per user and topic, in force until `until`, or until it is lifted. */
export interface SanctionTable {
  id: Generated<string>;
  topic_id: string;
  user_id: string;
  kind: "mute" | "ban";
  reason: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  created_by: string;
  until: Date | null;
}

/** Actions of a topic's staff. Rows are only added; each contains the hash of the one before. */
export interface ModerationLogTable {
  topic_id: string;
  seq: number;
  at: Date;
  action: LogAction;
  /** Null for what happened by itself, such as a review word hiding a text. */
  actor_id: string | null;
  subject_id: string | null;
  post_id: string | null;
  comment_id: string | null;
  reason: string | null;
  details: ColumnType<Readonly<Record<string, string>>, string, never>;
  previous_hash: string;
  hash: string;
}

/** What is counted by identity and UTC day; uploads in kilobytes. */
export type DailyKind = "topic" | "record" | "upload";

export interface ModerationTables {
  reports: ReportTable;
  desk_reports: DeskReportTable;
  sanctions: SanctionTable;
  moderation_log: ModerationLogTable;

  /** What one identity did on a UTC day, whatever its account. */
  identity_days: {
    identity_hash: string;
    kind: DailyKind;
    /** A UTC date like `2026-11-22`: written and compared, never read, since drivers disagree on its type. */
    day: ColumnType<never, string, never>;
    count: number;
  };

  /** A text that an identity posted in the last hour. */
  recent_texts: {
    identity_hash: string;
    /** SHA-256 of the normalized text, hex. */
    text_hash: string;
    /** Where it is; null once its author withdrew. */
    post_id: string | null;
    /** Null for the post's own text. */
    comment_id: string | null;
    written_at: Date;
  };

  /** What the staff of a topic noted about a user, for themselves. */
  staff_notes: {
    id: Generated<string>;
    topic_id: string;
    user_id: string;
    author_id: string;
    note: string;
    created_at: ColumnType<Date, Date, never>;
  };

  /** The owner offers the topic to a member, who has not answered yet. Goes with the membership. */
  ownership_offers: {
    topic_id: string;
    user_id: string;
    offered_by: string;
    offered_at: Date;
    expires_at: Date;
  };

  /** When an identity last wrote in a topic with slow mode. */
  topic_paces: {
    topic_id: string;
    identity_hash: string;
    written_at: Date;
  };
}
