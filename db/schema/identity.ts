import type { ColumnType, Generated } from "kysely";

type CreatedAt = ColumnType<Date, Date | undefined, never>;

export interface UserTable {
  /** Keyed hash of (circuit family, nullifier); opaque. */
  id: string;
  /** Keyed hash that finds the user again; null once the account is withdrawn. Never the nullifier itself. */
  identity_hash: string | null;
  nickname: string;
  /** Lower-cased, unique. */
  nickname_key: string;
  nickname_set: boolean;
  profile_image: string | null;
  created_at: CreatedAt;
  deleted_at: Date | null;
}

/** A proof accepted in the last 30 days; never the email, the token or the nullifier. */
export interface VerificationTable {
  id: Generated<string>;
  user_id: string;
  circuit: string;
  provider: string | null;
  domain: string | null;
  countries: string[] | null;
  /** Whether the holder lives in one of `countries` or in none of them; null exactly when they are. */
  countries_included: boolean | null;
  /** Keyed hash of (circuit, nullifier): the same identity gives the same value. */
  identity_hash: string;
  verified_at: Date;
  expires_at: Date;
}

/** One row per accepted statement; a second use of the same proof or token hits the key. */
export interface UsedProofTable {
  statement_hash: string;
  used_at: CreatedAt;
}

export interface RevokedSessionTable {
  jti: string;
  expires_at: Date;
}

/**
 * A challenge that was handed out and not used yet. Using it deletes the row inside the transaction that acts on
 * the proof, so a failed sign-in or join leaves it open and of many parallel ones exactly one succeeds.
 */
export interface ChallengeTable {
  id: string;
  /** Goes into the identity token. Knowing it (the prover does) does not give the id. */
  nonce: string;
  /** Who asked for it while signed in; null for a guest. */
  user_id: string | null;
  created_at: Date;
  expires_at: Date;
}

/** The embedded cache (lib/cache/embedded.ts); nothing else reads it. */
export interface CacheEntryTable {
  key: string;
  value: string;
  expires_at: Date;
}

export interface IdentityTables {
  users: UserTable;
  verifications: VerificationTable;
  used_proofs: UsedProofTable;
  challenges: ChallengeTable;
  revoked_sessions: RevokedSessionTable;
  cache_entries: CacheEntryTable;
}
