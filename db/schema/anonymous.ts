import type { ColumnType, Generated } from "kysely";

type Once<T> = ColumnType<T, T, never>;

/** What is said anonymously (docs/anonymous.md). Nothing here leads to an account, a session, an address or a time. */
export interface AnonymousTables {
  /** The proof of a post, or of a comment. */
  anonymous_acts: {
    id: Generated<string>;
    topic_id: Once<string>;
    post_id: Once<string>;
    /** Null for the post itself. */
    comment_id: Once<string | null>;
    /** Field elements are 0x and 64 digits. */
    slot_nullifier: Once<string>;
    scope_nullifier: Once<string>;
    signal: Once<string>;
    /** Number of the crowd's root. */
    root: Once<number>;
    week: Once<number>;
    /** By which its author can be banned. It links what one author says in a week: in no answer. */
    tag: Once<string>;
    /** Of the proof, 74 words. */
    public_inputs: Once<string[]>;
    proof: Once<Uint8Array>;
  };

  /** Slots of a day that pictures took, which are forgotten once it is over. */
  anonymous_pictures: {
    topic_id: Once<string>;
    slot_nullifier: Once<string>;
    signal: Once<string>;
    /** The UTC day, as days since 1970. */
    epoch: Once<number>;
    /** Of the upload. */
    key: Once<string>;
  };

  /** Votes in polls with secret ballots; one of each member, who is none of them. */
  secret_ballots: {
    poll_id: Once<string>;
    scope_nullifier: Once<string>;
    /** The highest counts. */
    counter: number;
    option_ids: string[];
    signal: string;
    /** Of the proof, 74 words. */
    public_inputs: string[];
    proof: Uint8Array;
  };

  /** Authors whom nobody can name, and who cannot prove that they are not on this list. */
  anonymous_bans: {
    id: Generated<string>;
    topic_id: Once<string>;
    week: Once<number>;
    tag: Once<string>;
    created_at: Once<Date>;
    /** Moved to the moment at which it was lifted. */
    ends_at: Date;
    post_id: Once<string | null>;
    comment_id: Once<string | null>;
  };
}
