import { createTestClient, http } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeHeader, paymentPayloadSchema } from "@/lib/proofs/wire";
import { paymentId } from "../payment/payment";
import { submitTogether } from "../testing/batch";
import type { Payer, SignedPayment } from "../testing/payer";
import type { Answer } from "../testing/prover-client";
import { price, type RunningProver, type Stack } from "../testing/stack";
import { createWalletPayer } from "../testing/wallets";

/** One transfer buys one proof, however many authorizations a payer uses up beside it. */
export function oneTransfer(stack: () => Stack): void {
  describe("payments F1: one transfer for many authorizations", () => {
    let running: RunningProver;
    beforeAll(async () => {
      running = await stack().start({ reconcileMs: 700 }, stack().replaying());
    });
    const buy = (header: string) => running.client.buy(stack().inputs, header);

    /** Rows as three requests leave them whose settlement is not known; the first one's request was really made. */
    async function alsoAccepted([first, ...others]: SignedPayment[]): Promise<void> {
      const { db } = running.server.store.payments;
      const [id] = idsOf(first);
      const row = await db
        .selectFrom("payment")
        .selectAll()
        .where("id", "=", id ?? "")
        .executeTakeFirstOrThrow();
      for (const other of others) {
        const [otherId = ""] = idsOf(other);
        const { nonce } = other.signed.authorization;
        await db
          .insertInto("payment")
          .values({ ...row, id: otherId, authorization_nonce: nonce, job_token_hash: otherId, owner: null })
          .execute();
      }
    }
    const idsOf = (...payments: (SignedPayment | undefined)[]) =>
      payments.flatMap((each) => {
        const payload = each && decodeHeader(paymentPayloadSchema, each.header);
        return payload ? paymentId({ kind: "authorization", payload }) : [];
      });

    /** Authorizations of one payer for the price, and of the same nonces for nothing, to himself. */
    async function signThree(payer: Payer, network: string) {
      const offer = await running.client.offer(network);
      const paying = [];
      const empty = [];
      for (let i = 0; i < 3; i += 1) {
        const payment = await payer.sign(offer);
        const { nonce } = payment.signed.authorization;
        paying.push(payment);
        empty.push(await payer.sign(offer, { nonce, value: "0", to: payer.address }));
      }
      return { paying, empty };
    }
    /** The first authorization pays; the others' nonces are used up around it. */
    const together = ({ paying, empty }: Awaited<ReturnType<typeof signThree>>) =>
      [empty[1], paying[0], empty[2]].flatMap((each) => each?.signed ?? []);

    const said = ({ status, error }: Answer) => [status, error?.error, error?.reason];
    const used = [402, "PAYMENT_INVALID", "already_used"];

    it("of a contract wallet, settled by a facilitator: one proof, the others are refused as used", async () => {
      const { main, proxy, payTo } = stack();
      const wallet = await createWalletPayer(main, price);
      const signed = await signThree(wallet, "eip155:8453");
      const [first, second, third] = signed.paying.map(({ header }) => header);
      proxy.mode = "refuse";
      try {
        expect(said(await buy(first ?? ""))).toEqual([503, "BUSY", "settlement_unconfirmed"]);
      } finally {
        proxy.mode = "pass";
      }
      await alsoAccepted(signed.paying);
      const before = await main.balance(payTo);
      const hash = await submitTogether(main, together(signed));
      await main.client.waitForTransactionReceipt({ hash });
      expect(await main.balance(payTo)).toBe(before + price);
      const answers = [await buy(second ?? ""), await buy(first ?? ""), await buy(third ?? "")];
      expect(answers.map(said)).toEqual([used, [200, undefined, undefined], used]);
      expect(answers[1]?.transaction).toBe(hash);
    });

    it("of a key, around our own settlement: one proof, the others are refused as used", async () => {
      const { second: chain, payTo } = stack();
      const control = createTestClient({ mode: "anvil", transport: http(chain.anvil.rpcUrl) });
      const signed = await signThree(await stack().payer(), "eip155:1");
      const [first, second, third] = signed.paying.map(({ header }) => header);
      const before = await chain.balance(payTo);
      await control.setAutomine(false);
      try {
        expect(said(await buy(first ?? ""))).toEqual([503, "BUSY", "settlement_unconfirmed"]);
        await alsoAccepted(signed.paying);
        // Ahead of ours in the block, by its fee.
        const ahead = 50n * 10n ** 9n;
        await submitTogether(chain, together(signed), { maxFeePerGas: ahead, maxPriorityFeePerGas: ahead });
      } finally {
        await control.mine({ blocks: 1 });
        await control.setAutomine(true);
      }
      expect(await chain.balance(payTo)).toBe(before + price);
      const answers = await Promise.all([buy(second ?? ""), buy(first ?? ""), buy(third ?? "")]);
      expect(answers.map(said)).toEqual([used, [200, undefined, undefined], used]);
      const { db } = running.server.store.payments;
      const rows = await db
        .selectFrom("payment")
        .select(["id", "state", "tx_hash", "log_index"])
        .where("id", "in", idsOf(...signed.paying))
        .execute();
      expect(rows.filter(({ state }) => state === "proven")).toMatchObject([
        { id: idsOf(signed.paying[0])[0], tx_hash: answers[1]?.transaction, log_index: 3 },
      ]);
      expect(rows.filter(({ state }) => state === "void")).toHaveLength(2);
    });
  });
}
