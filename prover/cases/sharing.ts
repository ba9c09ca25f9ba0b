import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "@/lib/sql/testing";
import { type ProverProcess, type ProverProcesses, proverProcesses } from "../testing/processes";
import { price, type Stack } from "../testing/stack";

/** Two prover processes on one PostgreSQL. */
export function sharing(stack: () => Stack): void {
  describe("two prover processes on one PostgreSQL", () => {
    let postgres: TestPostgres;
    let processes: ProverProcesses;
    let databases = 0;
    beforeAll(async () => {
      const started = await startPostgres();
      if (!started) throw new Error("this machine has no PostgreSQL: apt-get install postgresql");
      postgres = started;
      processes = await proverProcesses(stack());
    });
    afterAll(async () => {
      await processes?.close();
      await postgres?.close();
    });

    async function two(environment: Readonly<Record<string, string>> = {}) {
      databases += 1;
      const shared = {
        PROVER_DATABASE_URL: await postgres.createDatabase(`prover_${databases}`),
        DATABASE_TEMPLATE: "",
        ...environment,
      };
      const first = await processes.start(shared);
      return [first, await processes.start(shared)] as const;
    }

    /** Payments of payers with money for one each. */
    async function signed(count: number, network = "eip155:1") {
      const { payer, second, main } = stack();
      const offer = await stack().prover.client.offer(network);
      const chain = network === "eip155:1" ? second : main;
      return await Promise.all(
        Array.from({ length: count }, async () => {
          const wallet = await payer();
          const { header } = await wallet.sign(offer);
          return { header, left: () => chain.balance(wallet.account.address) };
        }),
      );
    }
    const proved = (all: readonly ProverProcess[]) => all.reduce((sum, each) => sum + each.proved(), 0);

    it("one signature sent 100 times at once over both: one settlement, one proof", async () => {
      const { inputs, second } = stack();
      const all = await two();
      const wallet = await stack().payer(price * 100n);
      const { header } = await wallet.sign(await stack().prover.client.offer("eip155:1"));
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) => (all[i % 2] ?? all[0]).client.buy(inputs, header)),
      );
      expect(answers.map(({ status, error }) => error ?? status)).toEqual(Array(100).fill(200));
      expect(new Set(answers.map(({ result }) => JSON.stringify(result))).size).toBe(1);
      expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1);
      expect(await second.balance(wallet.account.address)).toBe(price * 99n);
      expect(proved(all)).toBe(1);
      await Promise.all(all.map((each) => each.stop()));
    });

    it("share the work that one of them took, and each can tell of every job", async () => {
      const { inputs } = stack();
      const [busy, idle] = await two({ PROOF_MS: "600" });
      const payments = await signed(8);
      const tokens = await Promise.all(
        payments.map(async ({ header }) => {
          const { status, jobToken = "" } = await busy.client.buy(inputs, header, {
            prefer: "respond-async",
          });
          expect(status).toBe(202);
          return jobToken;
        }),
      );
      const ends = await Promise.all(tokens.map(async (token) => (await idle.client.events(token)).at(-1)));
      expect(ends.map((end) => end?.name)).toEqual(Array(8).fill("done"));
      expect(await Promise.all(payments.map(({ left }) => left()))).toEqual(Array(8).fill(0n));
      expect(proved([busy, idle])).toBe(8);
      expect(idle.proved()).toBeGreaterThan(1);
      expect(busy.proved()).toBeGreaterThan(1);
      await Promise.all([busy.stop(), idle.stop()]);
    });

    it("the one that was given work is killed: the other takes it back, nothing is lost or paid twice", async () => {
      const { inputs } = stack();
      const [busy, helping] = await two({ PROOF_MS: "1000" });
      const payments = await signed(6);
      const answers = Promise.all(payments.map(({ header }) => busy.client.buy(inputs, header)));
      await expect.poll(() => helping.proved(), { timeout: 20_000 }).toBeGreaterThan(0);
      await helping.kill();
      expect((await answers).map(({ status, error }) => error ?? status)).toEqual(Array(6).fill(200));
      expect(await Promise.all(payments.map(({ left }) => left()))).toEqual(Array(6).fill(0n));
      await busy.stop();
    });

    it("the one that took the payments is killed: the same payments sent to the other give their proofs", async () => {
      const { inputs } = stack();
      const [taking, other] = await two({ PROOF_MS: "1000" });
      const payments = await signed(4);
      const lost = payments.map(({ header }) => taking.client.buy(inputs, header).catch(() => "lost"));
      await expect.poll(() => taking.proved(), { timeout: 20_000 }).toBeGreaterThan(0);
      await taking.kill();
      expect(await Promise.all(lost)).toContain("lost");
      const answers = await Promise.all(payments.map(({ header }) => other.client.buy(inputs, header)));
      expect(answers.map(({ status, error }) => error ?? status)).toEqual(Array(4).fill(200));
      expect(await Promise.all(payments.map(({ left }) => left()))).toEqual(Array(4).fill(0n));
      await other.stop();
    });

    it("the one that was given work stops in good order: the other goes on without a pause", async () => {
      const { inputs } = stack();
      // So long a silence that only a farewell explains a quick take-over.
      const [busy, helping] = await two({
        PROOF_MS: "1000",
        PEER_SILENCE_MS: "60000",
        PROVER_STOP_GRACE_MS: "1",
      });
      const payments = await signed(6);
      const answers = Promise.all(payments.map(({ header }) => busy.client.buy(inputs, header)));
      await expect.poll(() => helping.proved(), { timeout: 20_000 }).toBeGreaterThan(0);
      await pause(100);
      await helping.stop();
      expect((await answers).map(({ status, error }) => error ?? status)).toEqual(Array(6).fill(200));
      expect(await Promise.all(payments.map(({ left }) => left()))).toEqual(Array(6).fill(0n));
      await busy.stop();
    });
  });
}
