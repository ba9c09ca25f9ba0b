import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProverProcesses, proverProcesses } from "../testing/processes";
import { price, type Stack } from "../testing/stack";

/** Steps of a paid request, each a place to die. */
const steps = {
  payee: [
    "verified",
    "accepted",
    "signed",
    "journaled",
    "broadcast",
    "mined",
    "settled",
    "queued",
    "proving",
    "done",
  ],
  facilitator: ["accepted", "settled", "done"],
} as const;
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
      const { payer, main, second } = stack();
      const chain = settlement === "payee" ? second : main;
      const wallet = await payer(price * 3n);
      const offer = await stack().prover.client.offer(networks[settlement]);
      const { header } = await wallet.sign(offer);
      const spent = async () => price * 3n - (await chain.balance(wallet.account.address));
      return { header, spent };
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
