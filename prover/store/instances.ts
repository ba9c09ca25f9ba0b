import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { ProverSchema } from "./schema";

/** Another process that could make a proof. */
export interface Peer {
  id: string;
  /** For what is handed over to it. */
  publicKey: string;
  /** Its paid proofs that are not made yet. */
  unfinished: number;
  /** Proofs it makes at once. */
  parallel: number;
}

/** SQL: the process in this column lives. Times are the database's own, so that no clocks are compared. */
export function lives(column: string) {
  // Under a name of its own: the column may be of the same table in the query around.
  return sql<boolean>`exists (select 1 from instance as living
    where living.id = ${sql.ref(column)} and living.alive_until > now())`;
}

/** The prover processes that share a database. */
export class Instances {
  /** This process. */
  readonly me = randomBytes(9).toString("base64url");

  constructor(
    readonly db: Kysely<ProverSchema>,
    /** True for an embedded database, which has one process: whoever was there before is dead. */
    readonly alone: boolean,
    /** Without a word for this long a process counts as dead: several heartbeats, so that a pause is not death. */
    readonly silenceMs = 10_000,
  ) {}

  /** How often a process has to say that it lives. */
  get heartbeatMs(): number {
    return this.silenceMs / 5;
  }

  /** Takes its place among the processes. */
  async enter(publicKey: string, parallel: number): Promise<void> {
    if (this.alone) await this.db.deleteFrom("instance").execute();
    await this.db
      .insertInto("instance")
      .values({
        id: this.me,
        public_key: publicKey,
        parallel,
        started_at: sql<Date>`now()`,
        alive_until: this.#soon(),
      })
      .execute();
  }

  /** Says that this process lives. @returns false when others took it for dead and removed it */
  async beat(): Promise<boolean> {
    const seen = await this.db
      .updateTable("instance")
      .set({ alive_until: this.#soon() })
      .where("id", "=", this.me)
      .executeTakeFirst();
    return seen.numUpdatedRows > 0n;
  }

  async leave(): Promise<void> {
    await this.db.deleteFrom("instance").where("id", "=", this.me).execute();
  }

  /** The processes that live, this one included. */
  async peers(): Promise<Peer[]> {
    const rows = await this.db
      .selectFrom("instance")
      .select(["id", "public_key as publicKey", "parallel"])
      .select((eb) =>
        eb
          .selectFrom("payment")
          .whereRef("payment.owner", "=", "instance.id")
          .where("payment.state", "in", ["settled", "credited"])
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .as("unfinished"),
      )
      .where(lives("instance.id"))
      .execute();
    return rows.map((row) => ({ ...row, unfinished: Number(row.unfinished ?? 0) }));
  }

  #soon() {
    return sql<Date>`now() + make_interval(secs => ${this.silenceMs / 1000}::double precision)`;
  }

  /** Forgets processes that have been silent for an hour. @returns those that are left, dead ones among them */
  async prune(): Promise<string[]> {
    await this.db
      .deleteFrom("instance")
      .where("alive_until", "<", sql<Date>`now() - interval '1 hour'`)
      .execute();
    const rows = await this.db.selectFrom("instance").select("id").execute();
    return rows.map(({ id }) => id);
  }
}
