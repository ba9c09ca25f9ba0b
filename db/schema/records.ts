import type { ColumnType, Generated } from "kysely";
import type { ChainTables } from "@/lib/chain/tables";

type Once<T> = ColumnType<T, T, never>;
/** A UTC date like `2026-11-22`: written and compared, never read, since drivers disagree on its type. */
type Day = ColumnType<never, string, never>;
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface RecordTables extends ChainTables {
  /** One user's record of one post. A failed one does not count. */
  records: {
    id: Generated<string>;
    post_id: Once<string>;
    recorder_id: Once<string>;
    /** keccak256 of the post's content, 0x-prefixed. */
    content_hash: Once<string>;
    day: Day;
    status: "sent" | "confirmed" | "failed";
    transaction_id: Once<string>;
    tx_hash: Later<string>;
    block_number: Later<number>;
    created_at: Once<Date>;
    confirmed_at: Later<Date>;
  };

  /** Number of a user's records on a day, without failed ones. */
  record_days: {
    user_id: Once<string>;
    day: Day;
    count: number;
  };
}
