import type { ColumnType } from "kysely";
import type { InstallationAction, OperatorRole } from "@/lib/contract/desk";
import type { AccountSanctionKind } from "@/lib/contract/desk-acts";
import type { ReportedKind } from "@/lib/contract/moderation";

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
    target_kind: Once<ReportedKind>;
    target_id: Once<string>;
    topic_id: Once<string | null>;
    reason: Once<string | null>;
    details: ColumnType<Readonly<Record<string, string>>, string, never>;
    previous_hash: Once<string>;
    hash: Once<string>;
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
