import type { ColumnType, Generated } from "kysely";

type CreatedAt = ColumnType<Date, Date | undefined, never>;

/** A device's request for a proof from a phone. */
export interface ProofRequestTable {
  id: string;
  /** Shown on both screens. */
  code: string;
  purpose: "sign_in" | "proof";
  circuit: string;
  details: ColumnType<ProofRequestDetails, string, never>;
  challenge_id: string;
  /** Of the challenge. */
  nonce: string;
  /** The user who asked while signed in. */
  user_id: string | null;
  client: string;
  status: ColumnType<"pending" | "completed" | "failed", "pending", "completed" | "failed">;
  answer: string | null;
  /** Error code of a proof that was refused. */
  failure: string | null;
  created_at: Date;
  expires_at: Date;
}
interface ProofRequestDetails {
  readonly countryList: string[] | null;
  readonly isIncluded: boolean | null;
  readonly domain: string | null;
  readonly provider: string | null;
}

export interface IdentityTables {
  proof_requests: ProofRequestTable;

  users: {
    /** Keyed hash of (circuit family, nullifier); opaque. */
    id: string;
    /** Keyed hash that identifies the user; null once the account is deleted. Never the nullifier itself. */
    identity_hash: string | null;
    nickname: string;
    /** Lower-cased, unique. */
    nickname_key: string;
    nickname_set: boolean;
    /** What the nickname looks like (lib/session/nickname.ts); null for a generated one. */
    nickname_skeleton: ColumnType<string | null, string | null | undefined, string | null>;
    profile_image: string | null;
    /** Whether the account was made with an address of a consumer mail provider. */
    consumer_mail: ColumnType<boolean, boolean | undefined, never>;
    created_at: CreatedAt;
    deleted_at: Date | null;
  };

  /** A proof of the last 30 days with sealed facts (fact-seals.ts); never the email, the token or the nullifier. */
  verifications: {
    id: Generated<string>;
    user_id: string;
    circuit: string;
    provider: string | null;
    /** The sealed facts; null only for rows from before migration 013, which the app seals when it starts. */
    sealed: ColumnType<string | null, string, string>;
    /** Keyed hash of user, circuit and facts: the same facts give the same value. */
    facts_tag: ColumnType<string | null, string, string>;
    /** Keyed hash of user and domain; null where no domain was proven. */
    domain_tag: ColumnType<string | null, string | null, string | null>;
    /** Facts in clear, from before migration 013; no longer written. */
    domain: ColumnType<string | null, never, null>;
    countries: ColumnType<string[] | null, never, null>;
    countries_included: ColumnType<boolean | null, never, null>;
    /** Keyed hash of (circuit, nullifier): the same identity gives the same value. */
    identity_hash: string;
    verified_at: Date;
    expires_at: Date;
  };

  /** One row per accepted statement; its key refuses a second use of the same proof or token. */
  used_proofs: {
    statement_hash: string;
    used_at: CreatedAt;
  };

  /**
   * An unused challenge. Using it deletes the row in the transaction that acts on the proof, so a failed sign-in or
   * join leaves it open, and of many parallel ones exactly one succeeds.
   */
  challenges: {
    id: string;
    /** Part of the identity token. Knowing it (as the prover does) does not reveal the id. */
    nonce: string;
    /** The user who requested it while signed in; null for a guest. */
    user_id: string | null;
    created_at: Date;
    expires_at: Date;
  };

  /** The embedded cache (lib/cache/embedded.ts); nothing else reads it. */
  cache_entries: {
    key: string;
    value: string;
    expires_at: Date;
  };

  /** A user's file; its key is its path under the storage root. Not `stored` while only an upload URL was issued. */
  uploads: {
    key: string;
    user_id: string;
    content_type: string;
    /** Bytes. */
    size: number;
    stored: ColumnType<boolean, boolean | undefined, boolean>;
    /** Whether something shows or showed it; other files are swept. */
    used: ColumnType<boolean, boolean | undefined, boolean>;
    /** Not served, because a post that shows it is hidden. */
    withheld: ColumnType<boolean, boolean | undefined, boolean>;
    /** The file may not be where `withheld` says yet. */
    moving: ColumnType<boolean, boolean | undefined, boolean>;
    /** Of the bytes, hex; null until they were stored, and until housekeeping added it to files of earlier releases. */
    sha256: ColumnType<string | null, string | null | undefined, string | null>;
    created_at: CreatedAt;
  };

  /** A domain that its owner shows in public. */
  domain_badges: {
    user_id: string;
    domain: string;
    /** As in `verifications`; null only until the app first started with migration 013. */
    domain_tag: ColumnType<string | null, string, string>;
    created_at: CreatedAt;
  };

  /** A domain shown in one topic only, or beside new content only, or both. */
  limited_badges: {
    user_id: string;
    domain: string;
    domain_tag: string;
    /** Null for every topic. */
    topic_id: string | null;
    /** Content from before does not show it; null for all content. */
    since: Date | null;
    created_at: CreatedAt;
  };

  /** An active sign-in. Renewing it replaces the token, which holds the session's other data. */
  sessions: {
    /** The id that its owner sees. */
    id: Generated<string>;
    /** Of the current token. */
    jti: string;
    /** Of the previous token, which stays valid for a minute. */
    previous_jti: Generated<string | null>;
    /** When the previous token was replaced. */
    renewed_at: Generated<Date | null>;
    /** When the proof of this sign-in was verified. */
    proven_at: ColumnType<Date, Date | undefined, never>;
    user_id: string;
    /** Browser and system, as far as the client said. */
    label: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
  };

  /** A token for automation; its session's `jti` is the digest of the token. */
  automation_tokens: {
    session_id: string;
    user_id: string;
    name: string;
    /** Named scopes and ids of operations. */
    scopes: ColumnType<string[], string[], never>;
    /** Null for every topic. */
    topic_ids: ColumnType<string[] | null, string[] | null, never>;
    /** Millionths of a USD. */
    spend_cap: number;
    spent: ColumnType<number, number | undefined, number>;
  };

  /** Apps that people sign in to with Parley: OpenID Connect clients. */
  apps: {
    client_id: Generated<string>;
    user_id: string;
    name: string;
    kind: "server" | "browser";
    redirect_uris: ColumnType<string[], string[], never>;
    /** Counts the secrets it has had; each derives from it. */
    secret_version: ColumnType<number, number | undefined, number>;
    created_at: Date;
  };

  /** Keys that sign identity tokens for apps, sealed. */
  app_signing_keys: {
    /** Counts from 1; whoever makes the next one at the same time loses. */
    number: number;
    sealed: string;
    created_at: Date;
  };

  /** The first request under an Idempotency-Key, and its answer once there is one. */
  idempotency_keys: {
    user_id: string;
    operation: string;
    key_hash: string;
    request_hash: string;
    /** Null while the first request is in progress. */
    status: number | null;
    /** Sealed with the client's key. */
    answer: string | null;
    created_at: Date;
    expires_at: Date;
  };
}
