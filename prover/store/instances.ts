import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { ProverSchema } from "./schema";

/** A process that can make proofs. */
export interface Peer {
  id: string;
  /** X25519 public key (base64url) for the inputs of jobs it may take. */
  publicKey: string;
}

/**
 * SQL: a living process works on the payment of this row, or it waits in the queue. So does one whose owner died with its
 * job: the others put that job back, or free the payment (`ProofQueue.releaseAbandoned`).
 */
export function attended() {
  return sql<boolean>`(payment.queued_at is not null or ${lives("payment.owner")}
    or (payment.owner is not null and payment.queue_job is not null))`;
}

/** SQL: the process in this column is alive, by the database's clock. */
export function lives(column: string) {
  // An alias: the outer query may be on the same table.
  return sql<boolean>`exists (select 1 from instance as living
    where living.id = ${sql.ref(column)} and living.alive_until > now())`;
}

/** The prover processes that share a database. */
export class Instances {
  /** This process. */
  readonly me = randomBytes(9).toString("base64url");
  /** Proofs that the living processes make at once, as of the last heartbeat. */
  workers = 1;

  constructor(
    readonly db: Kysely<ProverSchema>,
    /** True for an embedded database, which has one process: any earlier one is dead. */
    readonly alone: boolean,
    /** Key of the processes' registrations, the same for all of them. */
    readonly secret: Uint8Array,
    /** After this long without a heartbeat a process counts as dead: five heartbeats, so that a pause is not death. */
    readonly silenceMs = 10_000,
  ) {}

  /** Interval of heartbeats. */
  get heartbeatMs(): number {
    return this.silenceMs / 5;
  }

  /** Registers this process. */
  async enter(publicKey: string, parallel: number): Promise<void> {
    if (this.alone) await this.db.deleteFrom("instance").execute();
    await this.db
      .insertInto("instance")
      .values({
        id: this.me,
        public_key: publicKey,
        public_key_mac: this.#mac({ id: this.me, publicKey }),
        parallel,
        started_at: sql<Date>`now()`,
        alive_until: this.#soon(),
      })
      .execute();
    await this.#countWorkers();
  }

  /** Sends a heartbeat. @returns false when another process deleted this one as dead */
  async beat(): Promise<boolean> {
    const seen = await this.db
      .updateTable("instance")
      .set({ alive_until: this.#soon() })
      .where("id", "=", this.me)
      .executeTakeFirst();
    await this.#countWorkers();
    return seen.numUpdatedRows > 0n;
  }

  async leave(): Promise<void> {
    await this.db.deleteFrom("instance").where("id", "=", this.me).execute();
  }

  /**
   * Returns the living processes, including this one. Whoever can only write to the database cannot add one, and so
   * does not get a job's inputs.
   */
  async peers(): Promise<Peer[]> {
    const rows = await this.db
      .selectFrom("instance")
      .select(["id", "public_key as publicKey", "public_key_mac as mac"])
      .where(lives("instance.id"))
      .execute();
    return rows
      .filter(({ mac, ...peer }) => isSame(mac, this.#mac(peer)))
      .map(({ id, publicKey }) => ({ id, publicKey }));
  }

  #mac({ id, publicKey }: Peer): string {
    return createHmac("sha256", this.secret).update(`instance\0${id}\0${publicKey}`).digest("base64url");
  }

  async #countWorkers(): Promise<void> {
    const { workers } = await this.db
      .selectFrom("instance")
      .select(({ fn }) => fn.sum<string | null>("parallel").as("workers"))
      .where(lives("instance.id"))
      .executeTakeFirstOrThrow();
    this.workers = Math.max(1, Number(workers));
  }

  #soon() {
    return sql<Date>`now() + make_interval(secs => ${this.silenceMs / 1000}::double precision)`;
  }

  /** Deletes the processes that have been silent for an hour. */
  async prune(): Promise<void> {
    await this.db
      .deleteFrom("instance")
      .where("alive_until", "<", sql<Date>`now() - interval '1 hour'`)
      .execute();
  }
}

function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
