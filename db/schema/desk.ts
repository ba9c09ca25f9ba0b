import type { ColumnType, Generated } from "kysely";
import type { LoggedKind, OperatorRole } from "@/lib/contract/desk";
import type { InstallationAction } from "@/lib/contract/desk-actions";
import type { AccountSanctionKind, HeldKind } from "@/lib/contract/desk-acts";

type Once<T> = ColumnType<T, T, never>;

export interface DeskTables {
  /** Roles on the installation besides ADMIN_USER_IDS. */
  operators: {
    user_id: Once<string>;
    role: OperatorRole;
    granted_by: string;
    granted_at: Date;
  };

  /** Silences and suspensions, by the identity of a sign-in: they outlast a withdrawal. */
  account_sanctions: {
    identity_hash: Once<string>;
    kind: Once<AccountSanctionKind>;
    user_id: string;
    reason: string;
    created_at: Date;
    created_by: string;
    until: Date | null;
  };

  /** Acts of operators. Rows are only added; each contains the hash of the one before. */
  installation_log: {
    seq: Once<number>;
    at: Once<Date>;
    action: Once<InstallationAction>;
    role: Once<OperatorRole>;
    actor_id: Once<string>;
    actor_nonce: Once<string>;
    /** Hash of nonce and actor (lib/community/moderation/chain.ts). */
    actor: Once<string>;
    target_kind: Once<LoggedKind>;
    target_id: Once<string>;
    topic_id: Once<string | null>;
    reason: Once<string | null>;
    details: ColumnType<Readonly<Record<string, string>>, string, never>;
    previous_hash: Once<string>;
    hash: Once<string>;
  };

  /** Files that nobody can upload, by their bytes. */
  blocked_files: {
    id: Generated<string>;
    sha256: Once<string>;
    reason: Once<string>;
    blocked_at: Once<Date>;
    blocked_by: string;
  };

  /** SHA-256 of addresses of files that ended lately (uploads/removed.ts). */
  removed_addresses: {
    hash: Once<string>;
    removed_at: Once<Date>;
  };

  /** What is kept although it may be deleted; at most one in force for one thing. */
  legal_holds: {
    id: Generated<string>;
    kind: Once<HeldKind>;
    target_id: Once<string>;
    reason: Once<string>;
    placed_by: string;
    placed_at: Once<Date>;
    renewed_at: Date;
    released_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  };

  /** Texts of holds, in each form that they had when one was placed or renewed. */
  held_texts: {
    hold_id: Once<string>;
    kind: Once<string>;
    content_id: Once<string>;
    digest: Once<string>;
    taken_at: Once<Date>;
    content: ColumnType<unknown, string, never>;
  };

  /** Files of holds, by their key when one was placed. */
  held_files: {
    hold_id: Once<string>;
    key: Once<string>;
    content_type: Once<string>;
    sha256: Once<string | null>;
  };

  /** Heads of the log that are on the chain, or on their way. */
  installation_log_records: {
    /** UTC date like `2026-11-22`: written and compared, never read. */
    day: ColumnType<never, string, never>;
    seq: number;
    hash: string;
    status: "sent" | "confirmed" | "failed";
    transaction_id: ColumnType<string | null, string | null | undefined, string | null>;
    tx_hash: string | null;
  };

  /** One row: number and hash of the last entry. */
  installation_log_head: {
    id: Once<number>;
    seq: number;
    hash: string;
  };
}
