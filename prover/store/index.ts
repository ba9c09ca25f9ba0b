import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { createDatabase, type Database, type DatabaseOptions, migrate } from "@/lib/sql/index";
import { BossQueue, type JobQueue, openBoss } from "./boss";
import { Credits } from "./credits";
import { Instances } from "./instances";
import { proverRelease } from "./migrations";
import { Nonces } from "./nonces";
import { Payments } from "./payments";
import { Prices } from "./prices";
import { Purchases } from "./purchases";
import { Refunds } from "./refunds";
import type { ProverSchema } from "./schema";
import { Settlements } from "./settlements";
import { SignIns } from "./sign-ins";
import { Transfers } from "./transfers";

export interface Store {
  payments: Payments;
  credits: Credits;
  nonces: Nonces;
  prices: Prices;
  purchases: Purchases;
  signIns: SignIns;
  transfers: Transfers;
  refunds: Refunds;
  settlements: Settlements;
  instances: Instances;
  /** The proofs to make. */
  queue: JobQueue;
  connections: Database<ProverSchema>["connections"];
  /** Whether the database answers. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
  /** Returns the contents of an embedded database, as a template for others. */
  dump(): Promise<Blob>;
}

/**
 * Opens the prover's database and migrates it.
 * @param onError receives background failures
 */
export async function openStore(
  options: DatabaseOptions & {
    /** Milliseconds of silence after which another process counts as dead. */
    silenceMs?: number;
    /** Key of nonces, job tokens and registrations of processes, the same for all processes of a database; by default they end with this process. */
    secret?: Uint8Array;
  },
  onError: (error: Error) => void = () => undefined,
): Promise<Store> {
  const { db, pglite, connections, close } = await createDatabase<ProverSchema>(options);
  await migrate(db, proverRelease);
  const boss = await openBoss(db, pglite, onError);
  const credits = new Credits(db);
  const secret = options.secret ?? randomBytes(32);
  const settlements = new Settlements(db);
  return {
    payments: new Payments(db, secret),
    credits,
    nonces: new Nonces(db, secret),
    prices: new Prices(db),
    purchases: new Purchases(db),
    signIns: new SignIns(db, secret),
    transfers: new Transfers(db),
    refunds: new Refunds(db, credits, settlements.journal),
    settlements,
    instances: new Instances(db, pglite !== undefined, secret, options.silenceMs),
    queue: new BossQueue(boss, db, onError),
    connections,
    async isReachable() {
      try {
        await sql`select 1`.execute(db);
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      await boss.stop({ graceful: false });
      await close();
    },
    async dump() {
      if (!pglite) throw new Error("not an embedded database");
      return await pglite.dumpDataDir("none");
    },
  };
}
