import type { ColumnType, Generated } from "kysely";

type CreatedAt = ColumnType<Date, Date | undefined, never>;

interface UserTable {
  /** Keyed hash of (circuit family, nullifier); opaque. */
  id: string;
  /** Keyed hash that finds the user again; null once the account is withdrawn. Never the nullifier itself. */
  identity_hash: string | null;
  nickname: string;
  /** Lower-cased, unique. */
  nickname_key: string;
  nickname_set: boolean;
  /** What the nickname looks like (lib/session/nickname-rules.ts); null where it was not chosen. */
  nickname_skeleton: ColumnType<string | null, string | null | undefined, string | null>;
  profile_image: string | null;
  created_at: CreatedAt;
  deleted_at: Date | null;
}

/** A proof accepted in the last 30 days, its facts sealed (lib/session/fact-seals.ts); never the email, the token or the nullifier. */
interface VerificationTable {
  id: Generated<string>;
  user_id: string;
  circuit: string;
  provider: string | null;
  /** The facts; null only until rows of before 011a were sealed, which happens when the app starts. */
  sealed: ColumnType<string | null, string, string>;
  /** Keyed hash of user, circuit and facts: the same facts give the same value. */
  facts_tag: ColumnType<string | null, string, string>;
  /** Keyed hash of user and domain; null where no domain was proven. */
  domain_tag: ColumnType<string | null, string | null, string | null>;
  /** Facts in clear, of before 011a. Nothing is written here any more. */
  domain: ColumnType<string | null, never, null>;
  countries: ColumnType<string[] | null, never, null>;
  countries_included: ColumnType<boolean | null, never, null>;
  /** Keyed hash of (circuit, nullifier): the same identity gives the same value. */
  identity_hash: string;
  verified_at: Date;
  expires_at: Date;
}

/** One row per accepted statement; a second use of the same proof or token hits the key. */
interface UsedProofTable {
  statement_hash: string;
  used_at: CreatedAt;
}

/**
 * A challenge that was handed out and not used yet. Using it deletes the row inside the transaction that acts on
 * the proof, so a failed sign-in or join leaves it open and of many parallel ones exactly one succeeds.
 */
interface ChallengeTable {
  id: string;
  /** Goes into the identity token. Knowing it (the prover does) does not give the id. */
  nonce: string;
  /** Who asked for it while signed in; null for a guest. */
  user_id: string | null;
  created_at: Date;
  expires_at: Date;
}

/** The embedded cache (lib/cache/embedded.ts); nothing else reads it. */
interface CacheEntryTable {
  key: string;
  value: string;
  expires_at: Date;
}

/** A file of a user: its key under the storage root. Not `stored` while only an address to PUT it to was given out. */
interface UploadTable {
  key: string;
  user_id: string;
  content_type: string;
  /** Bytes. */
  size: number;
  stored: ColumnType<boolean, boolean | undefined, boolean>;
  /** Something shows it, or did; what nothing ever showed is swept. */
  used: ColumnType<boolean, boolean | undefined, boolean>;
  /** Out of reach, because a post that shows it is hidden. */
  withheld: ColumnType<boolean, boolean | undefined, boolean>;
  /** The file may not be where `withheld` says yet. */
  moving: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: CreatedAt;
}

/** A domain that its owner chose to show in public. */
interface DomainBadgeTable {
  user_id: string;
  domain: string;
  /** As in `verifications`; null only until the app started once with 011a. */
  domain_tag: ColumnType<string | null, string, string>;
  created_at: CreatedAt;
}

/** A sign-in that was not ended. Its token changes when it is renewed; what the token says is in the token. */
interface SessionTable {
  /** What its owner knows it by. */
  id: Generated<string>;
  /** Of the current token. */
  jti: string;
  /** Of the token that the current one replaced; it stays good for a minute. */
  previous_jti: Generated<string | null>;
  /** When it was replaced. */
  renewed_at: Generated<Date | null>;
  /** When the proof of this sign-in was verified. */
  proven_at: ColumnType<Date, Date | undefined, never>;
  user_id: string;
  /** Browser and system, as far as the client said. */
  label: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
}

/** A proof asked of a phone by another device. */
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
  /** Who asked while signed in. */
  user_id: string | null;
  client: string;
  status: ColumnType<"pending" | "completed" | "failed", "pending", "completed" | "failed">;
  /** Sealed for the asking client. */
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

/** The first request under an Idempotency-Key, and its answer once there is one. */
interface IdempotencyKeyTable {
  user_id: string;
  operation: string;
  key_hash: string;
  request_hash: string;
  /** Null while the first request is under way. */
  status: number | null;
  /** Sealed with the client's key. */
  answer: string | null;
  created_at: Date;
  expires_at: Date;
}

export interface IdentityTables {
  users: UserTable;
  verifications: VerificationTable;
  used_proofs: UsedProofTable;
  challenges: ChallengeTable;
  cache_entries: CacheEntryTable;
  uploads: UploadTable;
  domain_badges: DomainBadgeTable;
  sessions: SessionTable;
  proof_requests: ProofRequestTable;
  idempotency_keys: IdempotencyKeyTable;
}
