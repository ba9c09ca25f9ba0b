import type { Kysely, Transaction } from "kysely";
import type { Database } from "@/db/schema";
import type { Cache } from "@/lib/cache";
import type { Recorder } from "@/lib/chain";
import type { Live } from "@/lib/live";
import type { PublicWeb } from "@/lib/preview";
import type { Deployment } from "@/lib/proofs/deployment";
import type { Push } from "@/lib/push";
import type { ProofAcceptor } from "@/lib/session/authorize";
import type { FactSeals } from "@/lib/session/fact-seals";
import type { Storage } from "@/lib/storage";

/** The session of a request. */
export interface CallerSession {
  readonly id: string;
  /** Id of the token that came with the request: the session's current one, or for a minute the one before it. */
  readonly jti: string;
  /** When that token was issued. */
  readonly issuedAt: Date;
  /** When the proof of the sign-in was verified. */
  readonly provenAt: Date;
}

/** The signed-in user of a request, read from the session token. */
export interface Caller {
  readonly userId: string;
  readonly nickname: string;
  /** False while the nickname is the generated anon_… one. */
  readonly nicknameSet: boolean;
  /** Unix time in milliseconds when the proof was verified. */
  readonly verifiedAt: number;
  /** Global admin, from configuration. */
  readonly isAdmin: boolean;
  readonly session: CallerSession;
}

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

/** Everything a community function may use. It knows no HTTP. */
export interface Context {
  /** Null for a guest. */
  readonly caller: Caller | null;
  readonly db: Db;
  readonly cache: Cache;
  readonly storage: Storage;
  /** Fetches from public addresses, and from nowhere else. */
  readonly web: PublicWeb;
  /** Tells other clients, of every process, what changed. */
  readonly live: Live;
  /** Writes records on-chain; null where the installation has no record board, or no key for it. */
  readonly recorder: Recorder | null;
  /** Notifications sent to browsers that are not open. */
  readonly push: Push;
  readonly deployment: Deployment;
  /** The one function that accepts proofs, bound to this installation. */
  readonly acceptProof: ProofAcceptor;
  /** Seals what was proven for the database. */
  readonly facts: FactSeals;
  readonly now: () => Date;
  /** Work that may finish after the answer (score recalculation); errors are logged. */
  readonly later: (name: string, work: () => Promise<void>) => void;
}

/** A context with a caller; operations with auth "required" receive it. */
export interface MemberContext extends Context {
  readonly caller: Caller;
}
