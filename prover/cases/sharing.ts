import { setTimeout } from "node:timers/promises";
import { generatePaymentId } from "@x402/extensions/payment-identifier";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Driver, startPostgresFor, type TestPostgres } from "@/lib/sql/testing";
import { assure } from "@/lib/testing/assure";
import { findLeaks, textPlace } from "../testing/canaries";
import { type ProverProcess, type ProverProcesses, proverProcesses } from "../testing/processes";
import { type Paying, price, type Stack } from "../testing/stack";

/** Two prover processes on one PostgreSQL. @param driver how they reach it */
export function sharing(stack: () => Stack, driver: Driver): void {
  describe(`two prover processes on one PostgreSQL, through ${driver}`, () => {
    let postgres: TestPostgres;
    let database: pg.Pool;
    let processes: ProverProcesses;
    /** Those that run now; a case that ends one leaves the other to the next. */
    let running: ProverProcess[] = [];
    let shared: Readonly<Record<string, string>> = {};
    beforeAll(async () => {
      const served = await startPostgresFor(driver, { forPrograms: true });
      postgres = served;
      processes = await proverProcesses(stack(), served.env);
      const url = await postgres.createDatabase("prover");
      database = new pg.Pool({ connectionString: new URL("prover", postgres.url).href });
      shared = { PROVER_DATABASE_URL: url, DATABASE_TEMPLATE: "", PROVER_STOP_GRACE_MS: "1" };
    });
    afterEach(async () => await processes.release());
    afterAll(async () => {
      await database?.end();
      await processes?.close();
      await postgres?.close();
    });

    async function living(): Promise<number | undefined> {
      const { rows } = await database.query<{ n: number }>(
        "select count(*)::int as n from instance where alive_until > now()",
      );
      return rows[0]?.n;
    }

    /** Payments that have settled and have no proof, and those among them whose jobs no worker has. */
    async function owed() {
      const { rows } = await database.query<{ settled: number; waiting: number }>(
        "select count(*)::int as settled, count(queued_at)::int as waiting from payment where state = 'settled'",
      );
      return rows[0];
    }

    /** Two of them; the second is new when one was ended, and started with further variables. */
    async function two(environment: Readonly<Record<string, string>> = {}) {
      for (const missing of [{}, environment].slice(running.length)) {
        running.push(await processes.start({ ...shared, ...missing }));
      }
      const [first, second] = running;
      if (!first || !second) throw new Error("they did not start");
      const before = [first.proved(), second.proved()] as const;
      /** Proofs that each was asked for in this case. */
      const proved = () => [first.proved() - before[0], second.proved() - before[1]] as const;
      /** One that was killed is believed to live until it has been silent for long enough, and would be given work. */
      const without = async (gone: ProverProcess) => {
        running = running.filter((each) => each !== gone);
        await expect.poll(living, { timeout: 20_000 }).toBe(running.length);
      };
      return { first, second, proved, without };
    }

    /** Payments of payers with money for one each. */
    async function signed(count: number) {
      const payments: Paying[] = [];
      const { client } = stack().prover;
      for (let i = 0; i < count; i += 1) payments.push(await stack().pay(client, { network: "eip155:1" }));
      return payments;
    }
    const left = async (payments: readonly Paying[]) =>
      await Promise.all(payments.map((payment) => payment.left()));
    /** Asks a process for the proofs of payments; returns the tokens of their jobs. */
    const tokensOf = ({ client }: ProverProcess, payments: readonly Paying[]) =>
      Promise.all(
        payments.map(async ({ header }) => {
          const { status, jobToken = "" } = await client.buy(stack().inputs, header, {
            prefer: "respond-async",
          });
          expect(status).toBe(202);
          return jobToken;
        }),
      );
    /** However long a busy machine takes for it. */
    const settled = async (payments: readonly Paying[]) =>
      await expect.poll(() => left(payments), { timeout: 60_000 }).toEqual(payments.map(() => 0n));

    it("one signature sent 100 times at once over both: one settlement, one proof", async () => {
      const { inputs, prover } = stack();
      const { first, second, proved } = await two();
      const choice = { network: "eip155:1", money: price * 100n };
      const payment = await stack().pay(prover.client, choice);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) => (i % 2 ? second : first).client.buy(inputs, payment.header)),
      );
      expect(answers.map(({ status, error }) => error ?? status)).toEqual(Array(100).fill(200));
      expect(new Set(answers.map(({ result }) => JSON.stringify(result))).size).toBe(1);
      expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1);
      expect(await payment.left()).toBe(price * 99n);
      expect(proved()[0] + proved()[1]).toBe(1);
    });

    it("twenty signatures of one named purchase at once over both: one charge, one proof", async () => {
      const { inputs, prover } = stack();
      const { first, second, proved } = await two();
      const identifier = generatePaymentId();
      const wallet = await stack().payer(price * 20n);
      const offer = await prover.client.offer("eip155:1");
      const signed = await Promise.all(Array.from({ length: 20 }, () => wallet.sign(offer, { identifier })));
      const answers = await Promise.all(
        signed.map(({ header }, i) => (i % 2 ? second : first).client.buy(inputs, header)),
      );
      expect(answers.map(({ status, error }) => error ?? status)).toEqual(Array(20).fill(200));
      expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1);
      expect(await stack().second.balance(wallet.address)).toBe(price * 19n);
      expect(proved()[0] + proved()[1]).toBe(1);
    });

    it("share the work that one of them took, and each can tell of every job", async () => {
      const { first, second, proved } = await two();
      await processes.hold();
      const payments = await signed(8);
      const tokens = await tokensOf(first, payments);
      await settled(payments);
      // Each has one in hand while they are held; how the others spread depends on who is quicker.
      await expect.poll(() => [...proved()], { timeout: 60_000 }).toEqual([1, 1]);
      await processes.release();
      const ends = await Promise.all(tokens.map(async (token) => (await second.client.events(token)).at(-1)));
      expect(ends.map((end) => end?.name)).toEqual(Array(8).fill("done"));
      expect(await left(payments)).toEqual(Array(8).fill(0n));
      const [here, there] = proved();
      expect([here + there, here > 0, there > 0]).toEqual([8, true, true]);
    });

    it("one that took a job is killed: the other makes its proof, nothing is lost or paid twice", async () => {
      const { inputs } = stack();
      const { first, second, proved, without } = await two();
      await processes.hold();
      const payments = await signed(6);
      const answers = Promise.all(payments.map(({ header }) => first.client.buy(inputs, header)));
      await expect.poll(() => proved()[1], { timeout: 60_000 }).toBeGreaterThan(0);
      await second.kill();
      await processes.release();
      await without(second);
      expect((await answers).map(({ status, error }) => error ?? status)).toEqual(Array(6).fill(200));
      expect(await left(payments)).toEqual(Array(6).fill(0n));
    });

    it("the one that took the payments is killed: the other makes their proofs without being asked again", async () => {
      const { inputs } = stack();
      const { first, second, proved, without } = await two();
      await processes.hold();
      const payments = await signed(4);
      const tokens = await tokensOf(first, payments);
      await settled(payments);
      await expect.poll(owed, { timeout: 60_000 }).toEqual({ settled: 4, waiting: 2 });
      await expect.poll(() => [...proved()], { timeout: 60_000 }).toEqual([1, 1]);
      const { rows } = await database.query("select data from pgboss.job where name = 'prove'");
      const places = [textPlace("queue", JSON.stringify(rows))];
      const [, payload = "", signature = ""] = z.object({ jwt: z.string() }).parse(inputs).jwt.split(".");
      expect(findLeaks({ payload, signature }, places)).toEqual([]);
      expect(findLeaks({ payment: "ciphertext" }, places)).toEqual(["queue: payment"]);
      await first.kill();
      await processes.release();
      const ends = await Promise.all(tokens.map(async (token) => (await second.client.events(token)).at(-1)));
      expect(ends.map((end) => end?.job.error ?? end?.name)).toEqual(Array(4).fill("done"));
      await without(first);
      const answers = await Promise.all(payments.map(({ header }) => second.client.buy(inputs, header)));
      expect(answers.map(({ status, error }) => error ?? status)).toEqual(Array(4).fill(200));
      expect(await left(payments)).toEqual(Array(4).fill(0n));
    });

    it("one that took a job stops in good order: the other goes on without a pause", async () => {
      const { inputs } = stack();
      // So long a silence that only its farewell explains a quick take-over.
      const { first, second, proved, without } = await two({ PEER_SILENCE_MS: "600000" });
      await processes.hold();
      const payments = await signed(6);
      const answers = Promise.all(payments.map(({ header }) => first.client.buy(inputs, header)));
      await expect.poll(() => proved()[1], { timeout: 60_000 }).toBeGreaterThan(0);
      const stopped = second.stop();
      // It makes to its end what it has begun; this long it has to hear that it shall stop.
      await setTimeout(1000);
      await processes.release();
      await stopped;
      await without(second);
      expect((await answers).map(({ status, error }) => error ?? status)).toEqual(Array(6).fill(200));
      expect(await left(payments)).toEqual(Array(6).fill(0n));
    });
  });
}

/** Steps of a paid request, each a place to die. In the short form, those between which money and books could part. */
const steps = {
  payee: assure
    ? ([
        ...["verified", "accepted", "signed", "journaled", "broadcast"],
        ...["mined", "settled", "queued", "proving", "done"],
      ] as const)
    : (["journaled", "broadcast", "settled", "proving"] as const),
  facilitator: assure ? (["accepted", "settled", "done"] as const) : (["settled"] as const),
};
const networks = { payee: "eip155:1", facilitator: "eip155:8453" } as const;

/**
 * The process is killed at every step; the next one on the same database gets the same request again. Whatever the
 * step: one charge, one proof.
 */
export function crashes(stack: () => Stack): void {
  describe("a prover process that is killed", () => {
    let processes: ProverProcesses;
    beforeAll(async () => {
      processes = await proverProcesses(stack());
    });
    afterAll(async () => {
      await processes?.close();
    });

    /** A signed payment of a payer with money for three, and what was taken from him. */
    async function paying(settlement: keyof typeof steps) {
      const choice = { network: networks[settlement], money: price * 3n };
      const { header, left } = await stack().pay(stack().prover.client, choice);
      return { header, spent: async () => price * 3n - (await left()) };
    }

    const cases = (["payee", "facilitator"] as const).flatMap((settlement) =>
      steps[settlement].map((step) => ({ settlement, step })),
    );
    it.each(cases)(
      "at “$step”, settling by $settlement: one charge, one proof",
      async ({ settlement, step }) => {
        const { inputs } = stack();
        const database = { PROVER_DATABASE_URL: processes.newDatabase() };
        const { header, spent } = await paying(settlement);
        const first = await processes.start({ ...database, CRASH_AT: step });
        await expect(first.client.buy(inputs, header)).rejects.toThrow();
        await first.ended;

        const second = await processes.start(database);
        const answer = await second.client.buy(inputs, header);
        expect([answer.status, answer.error]).toEqual([200, undefined]);
        expect(await spent()).toBe(price);
        const again = await second.client.buy(inputs, header);
        expect(again.result).toEqual(answer.result);
        expect(second.proved()).toBe(step === "done" ? 0 : 1);
        expect(await spent()).toBe(price);
        await second.stop();
      },
    );

    it("while the facilitator settles and its answer is lost: one charge, one proof", async () => {
      const { inputs, proxy } = stack();
      const database = { PROVER_DATABASE_URL: processes.newDatabase() };
      const { header, spent } = await paying("facilitator");
      const first = await processes.start(database);
      proxy.mode = "swallow";
      try {
        const lost = first.client.buy(inputs, header).catch(() => "lost");
        await expect.poll(spent, { timeout: 10_000 }).toBe(price);
        await first.kill();
        expect(await lost).toBe("lost");
      } finally {
        proxy.mode = "pass";
      }
      const settled = proxy.settled;
      const second = await processes.start(database);
      const answer = await second.client.buy(inputs, header);
      expect([answer.status, proxy.settled]).toEqual([200, settled]);
      expect(await spent()).toBe(price);
      await second.stop();
    });
  });
}
