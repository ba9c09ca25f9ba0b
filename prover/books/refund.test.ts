import { type Address, type Hex, numberToHex, pad, parseGwei } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyTemplate } from "@/lib/testing/empty";
import { Chains } from "../chains";
import { openStore, type Store } from "../store/index";
import { type OwnKeyWorld, startOwnKeyWorld } from "../testing/own-key";
import { FINAL_BLOCKS, refundFrom, settleRefunds } from "./refund";

const amount = 100_000n;
let world: OwnKeyWorld;
let store: Store;
let chains: Chains;
beforeAll(async () => {
  [world, store] = await Promise.all([
    startOwnKeyWorld(),
    emptyTemplate().then((template) => openStore({ url: "pglite:memory", template })),
  ]);
  chains = new Chains(world.deployment);
});
afterAll(async () => {
  await Promise.all([world.stop(), store.close()]);
});

let count = 0;
/** An unmatched transfer of somebody who has nothing else. */
async function unmatched(): Promise<{ id: string; payee: Address }> {
  count += 1;
  const payee = privateKeyToAccount(generatePrivateKey()).address;
  const transaction = pad(numberToHex(count));
  await store.payments.db
    .insertInto("transfer")
    .values({
      ...{ chain_id: 1, tx_hash: transaction, log_index: 0, asset: world.chain.token, payer: payee },
      ...{ pay_to: world.account, amount: amount.toString(), block: 1, at: new Date() },
    })
    .execute();
  return { id: `1:${transaction}:0`, payee };
}

/** An account that can refund ten times. */
async function till(key: Hex = generatePrivateKey()): Promise<Hex> {
  const { address } = privateKeyToAccount(key);
  await world.control.setBalance({ address, value: 10n ** 18n });
  await world.chain.mint(address, amount * 10n);
  return key;
}

const paidTo = (payee: Address) => world.chain.balance(payee);
/** What the operator's command does. */
const refund = async (key: Hex, id: string) => await refundFrom(key, id, chains, store.refunds);
/** What every prover process does, which has no key. */
const settle = async () => await settleRefunds(chains, store.refunds, { lostAfterMs: 0 });

describe("a refund", () => {
  it.each(["signed", "journaled", "broadcast", "mined"] as const)(
    "that is cut off after %s is paid once, by the next round or the next command",
    async (at) => {
      const [{ id, payee }, key] = [await unmatched(), await till()];
      const cut = {
        checkpoint: async (step: string) => {
          if (step === at) throw new Error("the process ended");
        },
      };
      const first = refundFrom(key, id, chains, store.refunds, cut);
      if (at === "mined") {
        await first;
        await settleRefunds(chains, store.refunds, cut);
      } else await expect(first).rejects.toThrow("the process ended");

      await settle();
      expect(await paidTo(payee)).toBe(at === "signed" ? 0n : amount);
      for (let i = 0; i < 3; i += 1) {
        await refund(key, id);
        await settle();
      }
      expect(await paidTo(payee)).toBe(amount);
      await world.control.mine({ blocks: Number(FINAL_BLOCKS) });
      await settle();
      expect((await store.refunds.find(id))?.confirmed_at).toBeInstanceOf(Date);
      await refund(key, id);
      expect(await paidTo(payee)).toBe(amount);
    },
  );

  it("shares the nonces of a key that settles payments too", async () => {
    const key = await till(world.key);
    const { db } = store.payments;
    const [{ id, payee }, other, paid] = [await unmatched(), await unmatched(), await world.payment(db)];
    const [settlement] = await Promise.all([
      world.settler(db).settle(paid.payment, paid.row),
      refund(key, id),
      refund(key, other.id),
    ]);
    expect(settlement.status).toBe("settled");
    expect([await paidTo(payee), await paidTo(other.payee)]).toEqual([amount, amount]);
  });

  describe("whose nonce another transaction of the account used", () => {
    /** Leaves a refund unmined and mines another transaction with its nonce; `undo` reorganizes that one away. */
    async function overtaken() {
      const [{ id, payee }, key] = [await unmatched(), await till()];
      await world.control.setAutomine(false);
      const { tx_hash } = await refund(key, id);
      const account = privateKeyToAccount(key);
      const before = await world.control.snapshot();
      await world.control.dropTransaction({ hash: `0x${tx_hash.slice(2)}` });
      const raw = await account.signTransaction({
        ...{ type: "eip1559", chainId: 1, to: account.address, nonce: 0, gas: 21_000n },
        ...{ maxFeePerGas: parseGwei("100"), maxPriorityFeePerGas: parseGwei("2") },
      });
      await world.chain.client.sendRawTransaction({ serializedTransaction: raw });
      await world.control.mine({ blocks: 1 });
      // Missing at first, lost in the next round.
      for (let i = 0; i < 2; i += 1) await settle();
      expect(await world.chain.client.getTransactionCount(account)).toBe(1);
      return { id, payee, key, undo: () => world.control.revert({ id: before }) };
    }

    it("is owed again once no reorganization can mine it, and then paid once", async () => {
      const { id, payee, key } = await overtaken();
      await world.control.setAutomine(true);
      await refund(key, id);
      expect([await paidTo(payee), await store.refunds.find(id)]).toEqual([0n, expect.anything()]);
      await world.control.mine({ blocks: Number(FINAL_BLOCKS) });
      await settle();
      expect(await store.refunds.find(id)).toBeUndefined();
      for (let i = 0; i < 2; i += 1) await refund(key, id);
      expect(await paidTo(payee)).toBe(amount);
    });

    it("is paid by that transaction after a reorganization, and not by a second one", async () => {
      const { id, payee, key, undo } = await overtaken();
      await undo();
      await world.control.setAutomine(true);
      for (let i = 0; i < 2; i += 1) {
        await refund(key, id);
        await settle();
      }
      await world.control.mine({ blocks: Number(FINAL_BLOCKS) });
      await settle();
      await refund(key, id);
      expect(await paidTo(payee)).toBe(amount);
      expect((await store.refunds.find(id))?.confirmed_at).toBeInstanceOf(Date);
    });
  });
});
