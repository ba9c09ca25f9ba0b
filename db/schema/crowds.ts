import type { ColumnType, Generated } from "kysely";

type Once<T> = ColumnType<T, T, never>;

/** Who may speak and vote without a name (docs/anonymous.md). Which of them does is nowhere. */
export interface CrowdTables {
  /** Topics in which somebody ever enrolled. Its row is locked by whoever publishes a root or changes the leaves. */
  crowds: {
    topic_id: Once<string>;
    /** Of the latest root; 0 before the first. */
    number: number;
    /** Places of the tree that were ever taken. */
    places: number;
    /** When the leaves are others than the latest root has; null as long as they are the same. */
    change_at: Date | null;
  };

  /** A leaf that a member enrolled. One that was in a root keeps its place for good. */
  crowd_leaves: {
    id: Generated<string>;
    topic_id: Once<string>;
    /** 0x and 64 digits. */
    leaf: Once<string>;
    /** Null once the account is withdrawn. */
    user_id: string | null;
    /** Of whoever enrolled it; null once it no longer matters for another leaf. */
    identity_hash: string | null;
    enrolled_at: Once<Date>;
    /** No root has it before. */
    counts_from: Date;
    withdrawn_at: Date | null;
    place: number | null;
    /** Number of the first root that has it. */
    entered: number | null;
    /** Number of the first root that no longer has it. */
    gone: number | null;
  };

  /** Every root ever published, chained by hashes. */
  crowd_roots: {
    topic_id: Once<string>;
    number: Once<number>;
    root: Once<string>;
    /** Leaves that are not empty. */
    size: Once<number>;
    published_at: Once<Date>;
    /** SHA-256 over the one before and this one. */
    hash: Once<string>;
  };
}
