import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Transaction,
} from "kysely";
import type { Hex } from "viem";
import type { Handle, JobQueue } from "../../store/boss";
import type { PaymentRow, PaymentStore } from "../../store/payments";
import type { ProverSchema } from "../../store/schema";
import { type PaymentEvent, reduce, settlementEvent } from "../state";

/** Time in ticks after which a silent process counts as dead. */
export const silence = 4;

/**
 * What outlives a process, in memory and without delay: the chain, the database, and who is known to live. One payment
 * only, which is all the money invariant is about. Dice are thrown with a seed.
 */
export class World {
  row: PaymentRow | undefined;
  credit: "none" | "owed" | "redeemed" = "none";
  /** Transfers of this authorization on chain; the token allows one. */
  charged = 0;
  /** A transfer is on its way and may still be mined. */
  pending = false;
  expired = false;
  /** From now on nothing goes wrong any more. */
  calm = false;
  /** Proofs that clients were given. */
  readonly given = new Set<Hex>();
  made = 0;
  /** The jobs in the queue, and when a worker got each: a dead one keeps what it had. */
  readonly jobs = new Map<string, { data: unknown; startedAt: number | undefined }>();
  now = 0;
  #deaths = new Map<string, number>();
  #waiting: (() => void)[] = [];

  /** How often a proof fails. Some worlds are worse than others, or the rare ends would never be seen. */
  readonly badProofs: number;
  /** How often a settlement works at once. */
  readonly goodSettlements: number;

  constructor(public seed: number) {
    this.badProofs = this.dice() < 0.6 ? 1 : this.dice() / 2;
    this.goodSettlements = this.dice() < 0.3 ? 0.1 : 0.7;
  }

  /** From 0 to 1 (mulberry32). */
  dice(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let t = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  settle(): void {
    if (this.charged === 0 && !this.expired) this.charged = 1;
    this.pending = false;
  }

  lives(process: string | null | undefined): boolean {
    if (!process) return false;
    return (this.#deaths.get(process) ?? Number.POSITIVE_INFINITY) > this.now;
  }

  /** @param farewell others learn of it at once */
  died(process: string, farewell: boolean): void {
    this.#deaths.set(process, farewell ? this.now : this.now + silence);
  }

  async wait(): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Lets time go by, and everybody do what he can do meanwhile. */
  async pass(ticks: number): Promise<void> {
    for (let i = 0; i < ticks; i += 1) {
      this.now += 1;
      if (this.pending && (this.calm || this.dice() < 0.3)) this.settle();
      for (const wake of this.#waiting.splice(0)) wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** For what asks for a transaction and does nothing with it. */
const noDatabase = new Kysely<ProverSchema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * The queue, as one process uses it.
 * @param step as for `paymentsOf`
 */
export function queueOf(world: World, step: () => Promise<void>): JobQueue {
  let closed = false;
  let working: Promise<void> = Promise.resolve();
  const work = async (handle: Handle) => {
    while (!closed) {
      await world.wait();
      await step();
      const [next] = [...world.jobs].filter(([, { startedAt }]) => startedAt === undefined);
      if (closed || !next) continue;
      const [id, job] = next;
      job.startedAt = world.now;
      const again = await handle(id, job.data);
      await step();
      if (again) job.startedAt = undefined;
      else world.jobs.delete(id);
    }
  };
  return {
    async open(_workers, handle) {
      working = work(handle);
    },
    async send(_trx: Transaction<ProverSchema>, id, data) {
      world.jobs.set(id, { data: JSON.parse(JSON.stringify(data)), startedAt: undefined });
    },
    notify: () => undefined,
    async find(id) {
      await step();
      const job = world.jobs.get(id);
      if (!job) return undefined;
      // Ticks pass for milliseconds.
      return { heldMs: job.startedAt === undefined ? undefined : world.now - job.startedAt };
    },
    async retry(id) {
      await step();
      const job = world.jobs.get(id);
      if (job) job.startedAt = undefined;
    },
    async close() {
      closed = true;
      await working;
    },
  };
}

const isPaid = ({ state }: PaymentRow) => state === "settled" || state === "credited";

/**
 * The payment's table, as one process uses it.
 * @param step awaited before and after every statement: the process may end there
 */
export function paymentsOf(world: World, step: () => Promise<void>): PaymentStore {
  const statement = async <T>(run: () => T): Promise<T> => {
    await step();
    const result = run();
    await step();
    return result;
  };
  const attended = (row: PaymentRow) =>
    row.queued_at !== null || world.lives(row.owner) || (row.owner !== null && row.queue_job !== null);
  const current = (id: string): PaymentRow | undefined => (world.row?.id === id ? world.row : undefined);
  const change = (id: string, event: PaymentEvent, fields: Partial<PaymentRow>): PaymentRow => {
    const row = current(id);
    if (!row) throw new Error("no such payment");
    const { state, failures, tx_hash, log_index } = row;
    const after = reduce({ state, failures, transaction: tx_hash, logIndex: log_index }, event);
    if (after.state === "credited" && state !== "credited") world.credit = "owed";
    if (after.state === "proven" && state === "credited") world.credit = "redeemed";
    const kept = event.type === "proof-made" && state === "proven" && row.proof !== null;
    const free = { owner: null, queued_at: null, progress: null };
    world.row = {
      ...row,
      ...(kept ? free : fields),
      state: after.state,
      failures: after.failures,
      tx_hash: after.transaction,
      log_index: after.logIndex,
    };
    return world.row;
  };
  return {
    find: (id) =>
      statement(() => {
        const row = current(id);
        return row && { row, owned: attended(row) };
      }),
    findPurchase: async () => undefined,
    findByToken: (token) =>
      statement(() =>
        world.row?.job_token_hash === token ? { row: world.row, owned: attended(world.row) } : undefined,
      ),
    tokenOf: async (row) => row.job_token_hash,
    open: () =>
      statement(() => (world.row && ["accepted", "settling"].includes(world.row.state) ? [world.row] : [])),
    mayOpen: async () => true,
    accept: ({ balance: _, ...payment }, owner) =>
      statement(() => {
        if (world.row && world.row.state !== "void") return world.row;
        const { authorization_nonce = null, valid_before = null, identifier_hash = null } = payment;
        const row: PaymentRow = {
          ...payment,
          authorization_nonce,
          valid_before,
          identifier_hash,
          failures: 0,
          state: "accepted",
          job_token_hash: `token ${world.now}`,
          created_at: new Date(0),
          settled_at: null,
          proven_at: null,
          delivered_at: null,
          queued_at: null,
          queue_job: null,
          tx_hash: null,
          log_index: null,
          proof: null,
          public_inputs: null,
          timing: null,
          owner,
          progress: null,
        };
        world.row = row;
        return row;
      }),
    claim: (id, owner) =>
      statement(() => {
        const row = current(id);
        if (!row || row.state === "proven" || row.state === "void") return undefined;
        if (row.queued_at || (row.owner !== owner && world.lives(row.owner))) return undefined;
        world.row = { ...row, owner, progress: null };
        return world.row;
      }),
    enqueue: async (id, owner, job, send) => {
      await step();
      const row = current(id);
      if (row?.owner !== owner) return false;
      world.row = { ...row, queue_job: job, queued_at: new Date(0) };
      await noDatabase.transaction().execute(send);
      await step();
      return true;
    },
    take: (job, owner) =>
      statement(() => {
        const { row } = world;
        if (row?.queue_job !== job || !row.queued_at || !isPaid(row)) return undefined;
        world.row = { ...row, owner, queued_at: null, progress: null };
        return world.row;
      }),
    unqueue: (job) =>
      statement(() => {
        const { row } = world;
        if (row?.queue_job !== job || !row.queued_at) return;
        world.row = { ...row, owner: null, queued_at: null, progress: null };
      }),
    release: (id, owner, queued) =>
      statement(() => {
        const row = current(id);
        if (row?.owner !== owner) return;
        const queued_at = queued ? (row.queued_at ?? new Date(0)) : null;
        world.row = { ...row, owner: null, progress: null, queued_at };
      }),
    unfinished: () =>
      statement(() => {
        const { row } = world;
        if (!row || !isPaid(row)) return [];
        return row.queued_at || (row.owner !== null && !world.lives(row.owner)) ? [row] : [];
      }),
    note: (id, owner, fields) =>
      statement(() => {
        const row = current(id);
        if (row?.owner === owner) {
          world.row = {
            ...row,
            ...("owner" in fields ? { owner: null } : {}),
            ...("progress" in fields && typeof fields.progress !== "function"
              ? { progress: fields.progress ?? null }
              : {}),
          };
        }
      }),
    ahead: async () => 0,
    apply: (id, event) => statement(() => change(id, event, {})),
    settle: (id, outcome) => statement(() => change(id, settlementEvent(outcome), {})),
    deliver: (id, { proof, publicInputs, timing }) =>
      statement(() =>
        change(
          id,
          { type: "proof-made" },
          {
            proof,
            public_inputs: JSON.stringify(publicInputs),
            timing: JSON.stringify(timing),
            owner: null,
            queued_at: null,
            progress: null,
          },
        ),
      ),
    markDelivered: (id) =>
      statement(() => {
        const row = current(id);
        if (!row?.proof) return false;
        world.row = { ...row, delivered_at: new Date(0) };
        return true;
      }),
    removeProofs: () =>
      statement(() => {
        const { row } = world;
        if (!row?.proof) return 0;
        const event = { type: "proof-removed", delivered: row.delivered_at !== null } as const;
        change(row.id, event, { proof: null, public_inputs: null, timing: null });
        return 1;
      }),
  };
}
