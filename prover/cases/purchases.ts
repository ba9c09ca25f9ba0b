import { x402Client } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import {
  appendPaymentIdentifierToExtensions,
  generatePaymentId,
  PAYMENT_IDENTIFIER,
} from "@x402/extensions/payment-identifier";
import { wrapFetchWithPayment } from "@x402/fetch";
import { getAddress } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hex32Schema } from "@/lib/proofs/hex";
import { proveResultSchema } from "@/lib/proofs/wire";
import { assure, fullOrShort } from "@/lib/testing/assure";
import { type CuttingProxy, startCuttingProxy } from "../testing/cutting-proxy";
import type { Payer } from "../testing/payer";
import { circuit } from "../testing/prover-client";
import { price, type ReplayingBackend, type RunningProver, type Stack, scope } from "../testing/stack";

/** Purchases that the client names (x402 extension "payment-identifier"): one name, one charge, one proof. */
export function purchases(stack: () => Stack): void {
  let running: RunningProver;
  let backend: ReplayingBackend;
  beforeAll(async () => {
    backend = stack().replaying();
    const limits = { challenges: 1_000_000, attempts: 1_000_000, requests: 1_000_000 };
    running = await stack().start({ limits }, backend);
  });

  describe("a purchase with the client's name", () => {
    it("is offered in header and body of the challenge", async () => {
      const { extensions = {} } = await running.client.challenge();
      expect(extensions[PAYMENT_IDENTIFIER]).toMatchObject({ info: { required: false } });
    });

    it("signed anew gets the same proof and is not charged again, on another network either", async () => {
      const { inputs, second } = stack();
      const identifier = generatePaymentId();
      const wallet = await stack().pay(running.client, { money: price * 3n, changes: { identifier } });
      const first = await running.client.buy(inputs, wallet.header);
      const asked = backend.asked;
      for (const network of ["eip155:8453", "eip155:1"]) {
        const { header } = await wallet.sign(await running.client.offer(network), { identifier });
        const again = await running.client.buy(inputs, header);
        expect([again.status, again.result]).toEqual([200, first.result]);
        expect(again.transaction).toBe(first.transaction);
      }
      expect(backend.asked).toBe(asked);
      expect([await wallet.left(), await second.balance(wallet.address)]).toEqual([price * 2n, price * 3n]);
      expect((await running.rows()).filter(({ payer }) => payer === wallet.address)).toHaveLength(1);
    });

    it("is not charged again by a payer that has nothing left", async () => {
      const identifier = generatePaymentId();
      const wallet = await stack().pay(running.client, { changes: { identifier } });
      const first = await running.client.buy(stack().inputs, wallet.header);
      const { header } = await wallet.sign(await running.client.offer("eip155:8453"), { identifier });
      expect(await wallet.left()).toBe(0n);
      const again = await running.client.buy(stack().inputs, header);
      expect([again.status, again.result]).toEqual([200, first.result]);
    });

    it("with other inputs is 409 and charges nothing", async () => {
      const { inputs } = stack();
      const identifier = generatePaymentId();
      const wallet = await stack().pay(running.client, { money: price * 2n, changes: { identifier } });
      expect((await running.client.buy(inputs, wallet.header)).status).toBe(200);
      const { header } = await wallet.sign(await running.client.offer("eip155:8453"), { identifier });
      const other = await running.client.buy({ ...inputs, scope: `${scope}.other` }, header);
      expect([other.status, other.error?.error]).toEqual([409, "PAYMENT_ALREADY_USED"]);
      expect(await wallet.left()).toBe(price);
    });

    it("is the payer's own: the same name of another payer is another purchase", async () => {
      const identifier = generatePaymentId();
      for (const _ of [1, 2]) {
        const wallet = await stack().pay(running.client, { changes: { identifier } });
        const answer = await running.client.buy(stack().inputs, wallet.header);
        expect([answer.status, await wallet.left()]).toEqual([200, 0n]);
      }
    });

    it("needs the payer's signature, and says nothing without it", async () => {
      const identifier = generatePaymentId();
      const wallet = await stack().pay(running.client, { changes: { identifier } });
      expect((await running.client.buy(stack().inputs, wallet.header)).status).toBe(200);
      const offer = await running.client.offer("eip155:8453");
      const signature = `0x${"11".repeat(64)}1b` as const;
      for (const inputs of [stack().inputs, { jwt: "x", scope }]) {
        const { header } = await wallet.sign(offer, { identifier, signature });
        const { status, error } = await running.client.buy(inputs, header);
        expect([status, error?.reason]).toEqual([402, "invalid_signature"]);
      }
    });

    it("twenty signatures at once are one settlement and one proof", async () => {
      const { inputs } = stack();
      for (const network of ["eip155:8453", "eip155:1"]) {
        const identifier = generatePaymentId();
        const wallet = await stack().payer(price * 20n);
        const offer = await running.client.offer(network);
        const signed = await Promise.all(
          Array.from({ length: 20 }, () => wallet.sign(offer, { identifier })),
        );
        const answers = await Promise.all(signed.map(({ header }) => running.client.buy(inputs, header)));
        expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
        expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1);
        expect(await stack().chainOf(network).balance(wallet.address)).toBe(price * 19n);
      }
    });

    it("while it is not known whether the first was charged, a second is not", async () => {
      const { inputs, proxy } = stack();
      const slow = await stack().start({ facilitatorTimeoutMs: 1_500, reconcileMs: 500 }, backend);
      onTestFinished(() => {
        proxy.mode = "pass";
      });
      const identifier = generatePaymentId();
      const wallet = await stack().pay(slow.client, { money: price * 2n, changes: { identifier } });
      const again = await wallet.sign(await slow.client.offer("eip155:8453"), { identifier });
      const elsewhere = await wallet.sign(await slow.client.offer("eip155:1"), { identifier });
      const ask = async (header: string) => {
        const { status, error } = await slow.client.buy(inputs, header);
        return [status, error?.reason];
      };
      proxy.mode = "lie";
      expect(await ask(wallet.header)).toEqual([503, "settlement_unconfirmed"]);
      proxy.mode = "pass";
      for (const { header } of [again, elsewhere]) {
        expect(await ask(header)).toEqual([503, "settlement_unconfirmed"]);
      }
      expect(await wallet.left()).toBe(price * 2n);
      expect(await stack().second.balance(wallet.address)).toBe(price * 2n);
      expect([await ask(wallet.header), await ask(again.header)]).toEqual(Array(2).fill([200, undefined]));
      expect([await wallet.left(), await stack().second.balance(wallet.address)]).toEqual([
        price,
        price * 2n,
      ]);
    });

    it("pays twice if somebody submits the second signature, and then has two proofs", async () => {
      const { inputs, main } = stack();
      const identifier = generatePaymentId();
      const wallet = await stack().pay(running.client, { money: price * 2n, changes: { identifier } });
      const first = await running.client.buy(inputs, wallet.header);
      const second = await wallet.sign(await running.client.offer("eip155:8453"), { identifier });
      await main.submit(second.signed);
      const again = await running.client.buy(inputs, second.header);
      expect([first.status, again.status, await wallet.left()]).toEqual([200, 200, 0n]);
      expect(again.transaction).not.toBe(first.transaction);
      const rows = (await running.rows()).filter(({ payer }) => payer === wallet.address);
      expect(rows.map(({ state }) => state)).toEqual(["proven", "proven"]);
    });

    it("that a credit paid for uses up that credit alone, however often it is signed", async () => {
      const { inputs } = stack();
      const wallet = await stack().pay(running.client, { money: price * 2n });
      backend.broken = true;
      try {
        for (const _ of [1, 2, 3]) expect((await running.client.buy(inputs, wallet.header)).status).toBe(500);
      } finally {
        backend.broken = false;
      }
      const identifier = generatePaymentId();
      const offer = await running.client.offer("eip155:8453");
      const [first, again] = await Promise.all([1, 2].map(() => wallet.sign(offer, { identifier })));
      const bought = await running.client.buy(inputs, first?.header ?? "");
      expect(bought.status).toBe(200);
      expect((await running.client.buy(inputs, again?.header ?? "")).result).toEqual(bought.result);
      expect(await wallet.left()).toBe(price);
    });

    it("that was never charged is free for another signature, and pays even so when it was", async () => {
      const { inputs } = stack();
      const { payments } = running.server.store;
      const identifier = generatePaymentId();
      const wallet = await stack().pay(running.client, { money: price * 2n, changes: { identifier } });
      expect((await running.client.buy(inputs, wallet.header)).status).toBe(200);
      const [row = expect.fail()] = (await running.rows()).filter(({ payer }) => payer === wallet.address);
      // As after a settlement that failed until the authorization expired.
      await payments.db
        .updateTable("payment")
        .set({ state: "settling", proof: null })
        .where("id", "=", row.id)
        .execute();
      const id = hex32Schema.parse(row.id);
      await payments.apply(id, { type: "voided" });
      const { header } = await wallet.sign(await running.client.offer("eip155:8453"), { identifier });
      expect((await running.client.buy(inputs, header)).status).toBe(200);
      expect(await wallet.left()).toBe(0n);
      const late = await payments.apply(id, { type: "settled", transaction: `0x${"ab".repeat(32)}` });
      expect(late.state).toBe("settled");
    });

    it("must have 16 to 128 letters, digits, - or _", async () => {
      const { inputs, payer } = stack();
      const wallet = await payer();
      const offer = await running.client.offer("eip155:8453");
      for (const identifier of ["", "short", "a".repeat(129), "sixteen letters!", 7]) {
        const { header } = await wallet.sign(offer, { identifier });
        const { status, error } = await running.client.buy(inputs, header);
        expect([status, error?.error, error?.field]).toEqual([400, "INVALID_REQUEST", "PAYMENT-SIGNATURE"]);
        expect(error?.message).toContain("payment-identifier");
      }
    });

    it("stays between buyer and prover, and the database has no readable name", async () => {
      const { proxy, inputs, logs } = stack();
      const identifier = generatePaymentId("canary-of-a-name-");
      const { header } = await stack().pay(running.client, { changes: { identifier } });
      const before = proxy.asked.length;
      expect((await running.client.buy(inputs, header)).status).toBe(200);
      const seen = proxy.asked.slice(before).join("\n");
      expect(seen).toContain('"bazaar"');
      expect(seen + JSON.stringify(await running.rows()) + logs.join("\n")).not.toContain("canary-of-a-name");
    });
  });

  describe("answers that are lost on the way to the stock client", () => {
    let proxy: CuttingProxy;
    beforeAll(async () => {
      proxy = await startCuttingProxy(running.client.url);
    });
    afterAll(async () => await proxy?.close());

    /** Buys like an agent with the stock client: any failure is a new request, and a new signature, of the same name. */
    function buyer(account: PrivateKeyAccount) {
      const identifier = generatePaymentId();
      const client = new x402Client().register("eip155:8453", new ExactEvmScheme(account));
      client.onBeforePaymentCreation(async ({ paymentRequired }) => {
        appendPaymentIdentifierToExtensions(paymentRequired.extensions ?? {}, identifier);
      });
      const paying = wrapFetchWithPayment(fetch, client);
      return async () => {
        const response = await paying(`${proxy.url}/api/v1/prove`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ circuit, inputs: stack().inputs }),
        });
        expect(response.status).toBe(200);
        return proveResultSchema.parse(await response.json()).proof;
      };
    }

    const count = fullOrShort(100, 4);
    /** Bytes into the status line, the headers and the body. */
    const cuts = [0, 1, 15, 16, 200, 1_000, 10_000];
    it(`${count} purchases with answers cut at ${assure ? "every byte" : "some bytes"}: ${count} charges, ${count} proofs`, {
      timeout: 3_600_000,
    }, async () => {
      const wallets: Payer[] = [];
      while (wallets.length < count) wallets.push(await stack().payer(price * 3n));
      for (const [index, { account }] of wallets.entries()) {
        const buy = buyer(account);
        const lost = async (at: number) => {
          proxy.cutAfter = at;
          await expect(buy()).rejects.toThrow();
        };
        // The answer to the signature that is charged is lost. Answers differ in length by the digits of durations, but
        // not those to one purchase.
        await lost(cuts[index % cuts.length] ?? 0);
        proxy.cutAfter = undefined;
        expect(await buy()).toMatch(/^0x/);
        const { answered } = proxy;
        const all = assure
          ? Array.from({ length: answered }, (_, at) => at).filter((at) => at % count === index)
          : [...cuts, Math.floor(answered / 2), answered - 2, answered - 1];
        for (const at of all) await lost(at);
        proxy.cutAfter = undefined;
        expect(await buy()).toMatch(/^0x/);
      }
      const paid = new Set(wallets.map(({ address }) => address));
      const rows = (await running.rows()).filter(({ payer }) => paid.has(getAddress(payer)));
      expect(rows.map(({ state }) => state)).toEqual(Array(count).fill("proven"));
      const left = await Promise.all(wallets.map(({ address }) => stack().main.balance(address)));
      expect(left).toEqual(Array(count).fill(price * 2n));
    });
  });
}
