import type { ColumnType, Generated } from "kysely";
import type { LogAction, reportReasons } from "@/lib/contract/moderation";

type CreatedAt = ColumnType<Date, Date | undefined, never>;

export interface ReportTable {
  id: Generated<string>;
  topic_id: string;
  post_id: string;
  /** Null when the post itself was reported. */
  comment_id: string | null;
  reporter_id: string;
  reason: (typeof reportReasons)[number];
  details: string | null;
  status: "open" | "dismissed" | "resolved";
  created_at: CreatedAt;
  decided_at: Date | null;
  decided_by: string | null;
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

export interface ModerationTables {
  reports: ReportTable;
  sanctions: SanctionTable;
  moderation_log: ModerationLogTable;
}
