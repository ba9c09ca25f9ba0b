import { getAddress } from "viem";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { account } from "@/contracts/local-chain";
import { hex32Schema } from "@/lib/proofs/hex";
import { decodeHeader, settleResponseSchema } from "@/lib/proofs/wire";
import { startFacilitator } from "../facilitator/app";
import { onDisk, price, type ReplayingBackend, type RunningProver, type Stack } from "../testing/stack";

/** Settlement when something between us and the money fails. */
export function settlement(stack: () => Stack): void {
  describe("a facilitator that misbehaves", () => {
    let running: RunningProver;
    let backend: ReplayingBackend;
    beforeAll(async () => {
      backend = stack().replaying();
      running = await stack().start(
        { facilitatorTimeoutMs: 1_500, reconcileMs: 2_000, metrics: { port: 0, host: "127.0.0.1" } },
        backend,
      );
    });
    afterEach(() => {
      stack().proxy.mode = "pass";
    });

    /** A signed payment, and what became of its payer's money. */
    async function prepare() {
      const { header, left } = await stack().pay(running.client, { money: price * 3n });
      return { header, spent: async () => price * 3n - (await left()) };
    }
    const buy = (header: string) => running.client.buy(stack().inputs, header);
    const kept = () => running.rows();

    it("down: 503, nothing charged or kept, and the same payment works once it is back", async () => {
      const { header, spent } = await prepare();
      const before = (await kept()).length;
      stack().proxy.mode = "down";
      const { status, error, headers } = await buy(header);
      expect([status, error?.error, error?.reason]).toEqual([503, "BUSY", "settlement_unavailable"]);
      expect(headers.get("retry-after")).not.toBeNull();
      expect([await spent(), (await kept()).length]).toEqual([0n, before]);
      stack().proxy.mode = "pass";
      expect((await buy(header)).status).toBe(200);
      expect(await spent()).toBe(price);
    });

    it.each(["swallow", "deny"] as const)(
      "settled, but %s: found on chain, proof delivered",
      async (mode) => {
        const { header, spent } = await prepare();
        stack().proxy.mode = mode;
        const answer = await buy(header);
        expect(answer.status).toBe(200);
        expect(answer.transaction).toMatch(/^0x[0-9a-f]{64}$/);
        expect(await spent()).toBe(price);
      },
    );

    it.each(["lie", "refuse"] as const)(
      "did not settle and %s: no proof, 503, the resend settles once",
      async (mode) => {
        const { header, spent } = await prepare();
        const asked = backend.asked;
        stack().proxy.mode = mode;
        const first = await buy(header);
        expect([first.status, first.error?.reason]).toEqual([503, "settlement_unconfirmed"]);
        expect([await spent(), backend.asked]).toEqual([0n, asked]);
        stack().proxy.mode = "pass";
        const answers = await Promise.all([buy(header), buy(header)]);
        expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
        expect([await spent(), backend.asked]).toEqual([price, asked + 1]);
      },
    );

    it("payments F17: settled when asked to verify, and said no: found on chain, proof delivered", async () => {
      const { header, spent } = await prepare();
      stack().proxy.mode = "rob";
      const first = await buy(header);
      // 503 when the facilitator takes longer to settle than we wait for its answer.
      expect([200, 503]).toContain(first.status);
      stack().proxy.mode = "pass";
      const settled = stack().proxy.settled;
      expect((await buy(header)).status).toBe(200);
      expect([await spent(), stack().proxy.settled]).toEqual([price, settled]);
    });

    it("payments F17: said no, and settles behind our back: the payment stays open, and the resend gets its proof", async () => {
      const paying = await stack().pay(running.client, { money: price * 3n });
      const { header, signed, address, left } = paying;
      stack().proxy.mode = "disown";
      const logged = stack().logs.length;
      const refused = await buy(header);
      expect([refused.status, refused.error?.reason]).toEqual([402, "refused_by_facilitator"]);
      const outcome = decodeHeader(settleResponseSchema, refused.headers.get("payment-response"));
      expect(outcome).toMatchObject({
        success: false,
        errorReason: "refused_by_facilitator",
        transaction: "",
      });
      // The operator reads why; the buyer only that it was refused.
      expect(stack().logs.slice(logged).join("")).toContain('"request":"verify","reason":"refused"');
      const rowOf = async () => (await kept()).find((row) => row.payer === address);
      expect((await rowOf())?.state).toBe("settling");
      await stack().main.submit(signed);
      expect((await buy(header)).status).toBe(200);
      expect([(await rowOf())?.state, await left()]).toEqual(["proven", price * 2n]);
    });

    it.each(["eip155:8453", "eip155:1"] as const)(
      "payments F17: submitted by somebody else on %s before we heard of it: it paid us, so it buys its proof",
      async (network) => {
        const paying = await stack().pay(running.client, { network, money: price * 2n });
        const { header, signed, left } = paying;
        const transaction = await stack().chainOf(network).submit(signed);
        const settled = stack().proxy.settled;
        const answers = [await buy(header), await buy(header)];
        const paid = { status: 200, transaction };
        expect(answers).toMatchObject([paid, paid]);
        expect([await left(), stack().proxy.settled]).toEqual([price, settled]);
      },
    );

    it("payments F2: counts settlements whose sender is not ours, and only those", async () => {
      const foreign = async () => {
        const metrics = await (await fetch(running.server.metricsUrl ?? "")).text();
        const lines = metrics
          .split("\n")
          .filter((line) => line.startsWith("prover_settlements_foreign_total{"));
        return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
      };
      const before = await foreign();
      const ours = await prepare();
      expect((await buy(ours.header)).status).toBe(200);
      expect(await foreign()).toBe(before);
      for (const network of ["eip155:8453", "eip155:1"]) {
        const { header, signed } = await stack().pay(running.client, { network });
        await stack().chainOf(network).submit(signed);
        expect((await buy(header)).status).toBe(200);
      }
      expect(await foreign()).toBe(before + 2);
    });

    it("mined after we gave up: the resend finds it and does not settle again", async () => {
      const { header, spent } = await prepare();
      const { main, proxy } = stack();
      const first = await main.withoutBlocks(() => buy(header));
      expect([first.status, first.error?.reason]).toEqual([503, "settlement_unconfirmed"]);
      expect(await spent()).toBe(price);
      const settled = proxy.settled;
      const second = await buy(header);
      expect([second.status, proxy.settled]).toEqual([200, settled]);
      expect(await spent()).toBe(price);
    });
  });

  describe("own-key settlement", () => {
    it("after a stop between broadcast and block, the next start awaits the same transaction", async () => {
      await onDisk(async (databaseUrl) => {
        const { inputs, second, start } = stack();
        const { control } = second;
        const first = await start({ databaseUrl, reconcileMs: 1_000 }, stack().replaying());
        const choice = { network: "eip155:1", money: price * 2n };
        const { header, left } = await stack().pay(first.client, choice);
        await control.setAutomine(false);
        let hash: string | null;
        try {
          const answer = await first.client.buy(inputs, header);
          expect([answer.status, answer.error?.reason]).toEqual([503, "settlement_unconfirmed"]);
          expect(await first.rows()).toMatchObject([{ state: "settling" }]);
          const written = await first.server.store.payments.db
            .selectFrom("prover_chain.chain_signatures as s")
            .innerJoin("prover_chain.chain_transactions as t", "t.id", "s.transaction_id")
            .select(["s.hash", "s.raw", "t.state"])
            .executeTakeFirst();
          expect([written?.raw.slice(0, 4), written?.state]).toEqual(["0x02", "open"]);
          hash = written?.hash ?? null;
          await first.server.close();
          // As if it never left: only what was written down can bring it back.
          if (hash) await control.dropTransaction({ hash: `0x${hash.slice(2)}` });
        } finally {
          await control.setAutomine(true);
        }
        const again = await start({ databaseUrl }, stack().replaying());
        const { payments } = again.server.store;
        const [row = expect.fail()] = await again.rows();
        // Its inputs were not kept: the client is asked to send them again, whether or not its block came already.
        const waiting = await again.client.job(await payments.tokenOf(row));
        expect([waiting.status, waiting.error?.error]).toEqual(["failed", "PROVE_FAILED"]);
        expect(["interrupted", "settlement_unconfirmed"]).toContain(waiting.error?.reason);
        const answer = await again.client.buy(inputs, header);
        expect([answer.status, answer.transaction]).toEqual([200, hash]);
        expect(await left()).toBe(price);
        await again.server.close();
      });
    });

    it("settles many payments at once, each in its own transaction", async () => {
      const { payer, inputs, second, payTo } = stack();
      const { client } = await stack().start({}, stack().replaying());
      const before = await second.balance(payTo);
      const offer = await client.offer("eip155:1");
      const headers: string[] = [];
      for (let i = 0; i < 8; i += 1) headers.push((await (await payer()).sign(offer)).header);
      const answers = await Promise.all(headers.map((header) => client.buy(inputs, header)));
      expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
      expect(new Set(answers.map((answer) => answer.transaction)).size).toBe(8);
      expect(await second.balance(payTo)).toBe(before + price * 8n);
    });

    it("settles from an account whose key is at a remote signer", async () => {
      const { payer, inputs, second } = stack();
      // A local chain's node signs for its own accounts.
      const { address } = account(3);
      const settlementKey = { url: second.anvil.rpcUrl, address };
      const { client } = await stack().start({ settlementKey }, stack().replaying());
      const { header } = await (await payer()).sign(await client.offer("eip155:1"));
      const { status, transaction } = await client.buy(inputs, header);
      expect(status).toBe(200);
      const { from } = await second.reader.getTransactionReceipt({ hash: hex32Schema.parse(transaction) });
      expect(getAddress(from)).toBe(address);
    });

    it("has a facilitator settle from an account whose key is at a remote signer", async () => {
      const { payer, inputs, main, deployment } = stack();
      const { address } = account(3);
      const facilitator = await startFacilitator({
        ...{
          port: 0,
          host: "127.0.0.1",
          confirmationMs: 10_000,
          gasShare: 0.5,
          logLevel: "silent",
          deployment,
        },
        key: { url: main.anvil.rpcUrl, address },
      });
      const services = { ...deployment.services, facilitatorUrl: facilitator.url };
      const { client } = await stack().start(
        { deployment: { ...deployment, services } },
        stack().replaying(),
      );
      const { header } = await (await payer()).sign(await client.offer("eip155:8453"));
      const { status, transaction } = await client.buy(inputs, header);
      expect(status).toBe(200);
      const { from } = await main.reader.getTransactionReceipt({ hash: hex32Schema.parse(transaction) });
      expect(getAddress(from)).toBe(address);
      await facilitator.close();
    });

    it("says so when its account has no gas, before it accepts a payment", async () => {
      const { deployment, backend } = stack();
      const settlementKey = `0x${"42".repeat(32)}` as const;
      const empty = await stack().start({ settlementKey }, { isWarm: backend.isWarm });
      const health = await fetch(`${empty.client.url}/health`);
      expect(health.status).toBe(503);
      expect(await health.json()).toMatchObject({ checks: { settlementAccount: false, facilitator: true } });
      expect(deployment.offers[1]?.settlement).toBe("payee");
    });
  });
}
