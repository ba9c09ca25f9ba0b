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
  /** Null in reports of before migration 018. */
  snapshot: ColumnType<Snapshot | null, string | null | undefined, never>;
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
  snapshot: ColumnType<Snapshot, string, never>;
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
  actor_id: string;
  subject_id: string | null;
  post_id: string | null;
  comment_id: string | null;
  reason: string | null;
  details: ColumnType<Readonly<Record<string, string>>, string, never>;
  previous_hash: string;
  hash: string;
}

/** Kinds of acts that are counted by identity and UTC day. */
export type DailyKind = "topic" | "record";

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

  /** When an identity last wrote in a topic with slow mode. */
  topic_paces: {
    topic_id: string;
    identity_hash: string;
    written_at: Date;
  };
}
