import type { Db } from "@/db/schema";
import type { Cache } from "@/lib/cache";
import type { Recorder } from "@/lib/chain/recorder";
import type { Live } from "@/lib/live";
import type { PublicWeb } from "@/lib/preview/web";
import type { Deployment } from "@/lib/proofs/deployment";
import type { Push } from "@/lib/push";
import type { Storage } from "@/lib/storage";
import type { Caller } from "./caller";
import type { FactSeals } from "./facts";
import type { ProofAcceptor } from "./proofs";

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
