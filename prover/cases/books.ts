import { type Hex, keccak256 } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, it } from "vitest";
import { recordRefund, refundFrom, settleRefunds } from "../books/refund";
import { Chains } from "../chains";
import { onDisk, price, type ReplayingBackend, type RunningProver, type Stack } from "../testing/stack";
import { sendTransfer } from "../testing/wallets";

const dayMs = 24 * 3_600_000;
/** The provers promise a proof within ten minutes. */
const later = () => Date.now() + 11 * 60_000;

/** Every transfer to us ends as a proof, a credit, a refund, or a line of its own. */
export function books(stack: () => Stack): void {
  let running: RunningProver;
  let backend: ReplayingBackend;
  /** Every offer takes transactions too. */
  const taking = (amount = price) => {
    const { deployment } = stack();
    const offers = deployment.offers.map((offer) => ({
      ...offer,
      amount: amount.toString(),
      transactions: { confirmations: 1 },
    }));
    return { deployment: { ...deployment, offers }, reconcileMs: 700 };
  };
  beforeAll(async () => {
    backend = stack().replaying();
    running = await stack().start(taking(), backend);
  });

  const rowsOf = async ({ address }: { address: Hex }) =>
    (await running.rows()).filter(({ payer }) => payer === address);
  const linesOf = async ({ address }: { address: Hex }) =>
    (await running.server.store.transfers.lines()).filter(({ payer }) => payer === address);
  const inputsOf = async (email: string) => ({ ...stack().inputs, jwt: await stack().idp.token(email) });
  /** A payer whose paid proof failed until it became a credit. */
  async function credited() {
    const wallet = await stack().pay(running.client, { network: "eip155:1" });
    backend.broken = true;
    try {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        expect((await running.client.buy(stack().inputs, wallet.header)).status).toBe(500);
      }
    } finally {
      backend.broken = false;
    }
    const [row] = await rowsOf(wallet.account);
    expect(row?.state).toBe("credited");
    return { ...wallet, id: row?.id ?? "" };
  }

  describe("the books", () => {
    it("payments F6: a settlement that comes when its client has left is a credit after the promised time", async () => {
      const wallet = await stack().pay(running.client);
      const { header } = wallet;
      const buy = () => running.client.buy(stack().inputs, header);
      const { status, error } = await stack().main.withoutBlocks(buy);
      expect([status, error?.reason]).toEqual([503, "settlement_unconfirmed"]);
      expect((await rowsOf(wallet.account))[0]?.state).toBe("settling");
      await running.server.reconcile();
      expect((await rowsOf(wallet.account))[0]?.state).toBe("settled");
      await running.server.reconcile(later());
      expect((await rowsOf(wallet.account))[0]?.state).toBe("credited");
      const owed = (await running.server.store.credits.owed()).map((each) => each.payer);
      expect(owed).toContain(wallet.account.address);
      expect((await linesOf(wallet.account)).map(({ end }) => end)).toEqual(["credit"]);
      // Its client comes back after all.
      expect((await running.client.buy(stack().inputs, header)).status).toBe(200);
      expect((await linesOf(wallet.account)).map(({ end }) => end)).toEqual(["proof"]);
    });

    it("payments F7: a transfer shown six days after its price was asked buys its proof", async () => {
      const { main, payTo } = stack();
      const { account } = await stack().payer();
      const nonce = running.server.store.nonces.issue(running.client.asks, 0, Date.now() - 6 * dayMs);
      const hash = await sendTransfer(main, account, { to: payTo, value: price, behind: keccak256(nonce) });
      await running.server.reconcile();
      expect((await linesOf(account)).map(({ end }) => end)).toEqual(["unmatched"]);
      const headers = { "X-Payment-TX": hash, "X-Payment-Nonce": nonce };
      const body = { circuit: running.client.asks, inputs: stack().inputs };
      expect((await running.client.post(body, headers)).status).toBe(200);
      expect((await linesOf(account)).map(({ end }) => end)).toEqual(["proof"]);
    });

    it("lists what came in and paid for nothing, once, over several rounds and a reorganized block", async () => {
      const { main, payTo } = stack();
      const { control } = main;
      const { account } = await stack().payer();
      const before = await control.snapshot();
      await sendTransfer(main, account, { to: payTo, value: price - 1n, behind: "0x" });
      await running.server.reconcile();
      await running.server.reconcile();
      const [line, ...rest] = await linesOf(account);
      expect([line?.end, line?.amount, rest]).toEqual(["unmatched", String(price - 1n), []]);
      await control.revert({ id: before });
      await control.mine({ blocks: 3 });
      await running.server.reconcile();
      expect(await linesOf(account)).toEqual([]);
    });
  });

  describe("a credit", () => {
    it("payments F9: makes a proof of fresh inputs for its payer, who is charged nothing", async () => {
      const { account, sign } = await credited();
      const fresh = await inputsOf("dora@example.com");
      const { header } = await sign(await running.client.offer("eip155:1"));
      const first = await running.client.buy(fresh, header);
      expect([first.status, first.error]).toEqual([200, undefined]);
      expect(await stack().second.balance(account.address)).toBe(0n);
      const again = await running.client.buy(fresh, header);
      expect(again.result).toEqual(first.result);
      await running.server.reconcile();
      expect((await linesOf(account)).map(({ end }) => end)).toEqual(["proof"]);
      // It is used up.
      const { header: next } = await sign(await running.client.offer("eip155:1"));
      const { status, error } = await running.client.buy(await inputsOf("eve@example.com"), next);
      expect([status, error?.reason]).toEqual([402, "insufficient_balance"]);
    });

    it("is used once by many requests at the same time", async () => {
      const { account, sign } = await credited();
      const offer = await running.client.offer("eip155:1");
      const headers = await Promise.all(Array.from({ length: 4 }, async () => (await sign(offer)).header));
      const inputs = await Promise.all(headers.map((_, i) => inputsOf(`many${i}@example.com`)));
      const answers = await Promise.all(
        headers.map((header, i) => running.client.buy(inputs[i] ?? {}, header)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200 && status !== 402 && status !== 503)).toEqual([]);
      expect((await rowsOf(account)).map(({ state }) => state)).toEqual(["proven"]);
    });

    it("is refunded once, and then buys nothing", async () => {
      const { second } = stack();
      const { account, header, id } = await credited();
      const key = generatePrivateKey();
      const till = privateKeyToAccount(key).address;
      await second.mint(till, price * 2n);
      const gas = await second.client.sendTransaction({ to: till, value: 10n ** 18n });
      await second.client.waitForTransactionReceipt({ hash: gas });
      const chains = new Chains(stack().deployment);
      const { refunds } = running.server.store;

      const rounds = await Promise.allSettled([1, 2, 3].map(() => refundFrom(key, id, chains, refunds)));
      expect(rounds.some(({ status }) => status === "fulfilled")).toBe(true);
      await refundFrom(key, id, chains, refunds);
      await settleRefunds(chains, refunds);
      expect([await second.balance(account.address), await second.balance(till)]).toEqual([price, price]);
      const { status, error } = await running.client.buy(stack().inputs, header);
      expect([status, error?.reason]).toEqual([409, "refunded"]);
      await running.server.reconcile();
      const [line] = await linesOf(account);
      expect([line?.end, line?.refund]).toEqual(["refunded", (await refunds.find(id))?.tx_hash]);
    });
  });

  it("payments F7: a transfer without a payment is refunded by a transaction of the operator's", async () => {
    const { main, payTo } = stack();
    const { account } = await stack().payer();
    const { account: operator } = await stack().payer(price * 2n);
    const hash = await sendTransfer(main, account, { to: payTo, value: price, behind: "0x" });
    await running.server.reconcile();
    const [line] = await linesOf(account);
    const id = `${main.id}:${hash}:${line?.logIndex}`;
    const chains = new Chains(stack().deployment);
    const { refunds } = running.server.store;
    const to = account.address;
    const short = await sendTransfer(main, operator, { to, value: price - 1n, behind: "0x" });
    await expect(recordRefund(short, id, chains, refunds)).rejects.toThrow("does not pay");
    const back = await sendTransfer(main, operator, { to, value: price, behind: "0x" });
    await recordRefund(back, id, chains, refunds);
    await running.server.reconcile();
    expect((await linesOf(account)).map(({ end, refund }) => [end, refund])).toEqual([["refunded", back]]);
  });

  it("payments F8: a price that is raised leaves what was signed or sent before as good as it was", async () => {
    await onDisk(async (databaseUrl) => {
      const { main, payTo } = stack();
      const before = await stack().start({ ...taking(), databaseUrl }, stack().replaying());
      const { account } = await stack().payer();
      const { nonce } = await before.client.challenge();
      const { header } = await stack().pay(before.client);
      stack().proxy.mode = "refuse";
      const unclear = await before.client.buy(stack().inputs, header);
      expect(unclear.error?.reason).toBe("settlement_unconfirmed");
      stack().proxy.mode = "pass";
      await before.server.close();

      const after = await stack().start({ ...taking(price * 5n), databaseUrl }, stack().replaying());
      expect((await after.client.buy(stack().inputs, header)).status).toBe(200);
      const hash = await sendTransfer(main, account, { to: payTo, value: price, behind: keccak256(nonce) });
      const body = { circuit: after.client.asks, inputs: stack().inputs };
      const headers = { "X-Payment-TX": hash, "X-Payment-Nonce": nonce };
      expect((await after.client.post(body, headers)).status).toBe(200);
      // Before its folder goes.
      await after.server.close();
    });
  });
}
