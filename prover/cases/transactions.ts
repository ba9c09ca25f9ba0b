import { randomBytes } from "node:crypto";
import { concatHex, getAddress, type Hex, keccak256, pad, toHex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAddress } from "viem/accounts";
import { beforeAll, describe, expect, it } from "vitest";
import { DevelopmentDollar } from "@/contracts/index";
import { decodeHeader, paymentPayloadSchema } from "@/lib/proofs/wire";
import type { ProverConfig } from "../config";
import { paymentId } from "../payment/payment";
import { submitTogether } from "../testing/batch";
import type { Payer, SignedPayment } from "../testing/payer";
import type { Answer } from "../testing/prover-client";
import { price, type ReplayingBackend, type RunningProver, type Stack, scope } from "../testing/stack";
import {
  createWalletPayer,
  sendTransfer,
  signTransfer,
  type Transfer,
  walletSignature,
} from "../testing/wallets";

const somebody = privateKeyToAddress(generatePrivateKey());
/** What binds a transfer to a challenge. */
const bound = (nonce: Hex) => keccak256(nonce);

/** Payment by a transfer the payer made: X-Payment-TX. */
export function transactions(stack: () => Stack): void {
  let running: RunningProver;
  let backend: ReplayingBackend;
  /** Every offer takes transactions after so many blocks. */
  const taking = (confirmations: number): Partial<ProverConfig> => {
    const { deployment } = stack();
    const offers = deployment.offers.map((offer) => ({ ...offer, transactions: { confirmations } }));
    return { deployment: { ...deployment, offers }, reconcileMs: 700 };
  };
  beforeAll(async () => {
    backend = stack().replaying();
    running = await stack().start(taking(1), backend);
  });

  /** A transfer on chain 8453 bound to a fresh nonce, right but for the changes. */
  async function transfer(changes: Partial<Transfer> & { account?: PrivateKeyAccount } = {}) {
    const { account = (await stack().payer(price * 2n)).account, ...wrong } = changes;
    const { nonce } = await running.client.challenge();
    const right = { to: stack().payTo, value: price, behind: bound(nonce) };
    const hash = await sendTransfer(stack().main, account, { ...right, ...wrong });
    return { hash, nonce, account };
  }
  async function present(
    { hash, nonce }: { hash: Hex; nonce: Hex },
    { inputs = stack().inputs, network = "eip155:8453", to = running } = {},
  ): Promise<Answer> {
    const headers = { "X-Payment-TX": hash, "X-Payment-Nonce": nonce, "X-Payment-Network": network };
    return await to.client.post({ circuit: to.client.asks, inputs }, headers);
  }
  const rows = () => running.rows();
  /** The payment of a transfer: the table has no order, and work on one row moves it. */
  const rowOf = async (hash: Hex) => (await rows()).find((row) => row.tx_hash === hash);
  const said = ({ status, error }: Answer) => [status, error?.error, error?.reason];
  const refusedFor = (reason: string) => [402, "PAYMENT_INVALID", reason];

  describe("paying by transaction", () => {
    it("is said in the offer, buys one proof, and delivers it again", async () => {
      const { accepts } = await running.client.challenge();
      expect(accepts.map((offer) => offer.transaction)).toEqual([{ confirmations: 1 }, { confirmations: 1 }]);
      const paid = await transfer();
      const first = await present(paid);
      expect([first.status, first.transaction]).toEqual([200, paid.hash]);
      const asked = backend.asked;
      const again = await present(paid);
      expect([again.result, backend.asked]).toEqual([first.result, asked]);
      expect(await rowOf(paid.hash)).toMatchObject({
        ...{ settlement: "transaction", payer: paid.account.address, amount: "100000", tx_hash: paid.hash },
      });
    });

    it("takes more than the price, and finds the network by its first offer when none is named", async () => {
      const { hash, nonce } = await transfer({ value: price + 1n });
      const answer = await running.client.post(
        { circuit: running.client.asks, inputs: stack().inputs },
        { "X-Payment-TX": hash, "X-Payment-Nonce": nonce },
      );
      expect(answer.status).toBe(200);
      expect((await rowOf(hash))?.amount).toBe("100001");
    });

    it("takes a contract wallet's transfer, and names the wallet as the payer", async () => {
      const { main, payTo } = stack();
      const { account, address } = await createWalletPayer(main, price);
      const { nonce } = await running.client.challenge();
      const call = { to: payTo, value: price, behind: bound(nonce) };
      const hash = await sendTransfer(main, account, call, address);
      expect((await present({ hash, nonce })).status).toBe(200);
      expect((await rowOf(hash))?.payer).toBe(address);
    });
  });

  describe("a transaction that does not pay", () => {
    const wrong: { reason: string; name: string; changes: () => Partial<Transfer> }[] = [
      { name: "too little", reason: "wrong_amount", changes: () => ({ value: price - 1n }) },
      { name: "to another recipient", reason: "wrong_recipient", changes: () => ({ to: somebody }) },
      { name: "bound to nothing", reason: "wrong_nonce", changes: () => ({ behind: "0x" }) },
      {
        ...{ name: "bound to another nonce", reason: "wrong_nonce" },
        changes: () => ({ behind: bound(pad("0x1")) }),
      },
      { name: "reverted", reason: "transaction_failed", changes: () => ({ value: price * 3n }) },
    ];

    it.each(wrong)("$name: $reason", async ({ reason, changes }) => {
      const before = await rows();
      expect(said(await present(await transfer(changes())))).toEqual(refusedFor(reason));
      expect(await rows()).toEqual(before);
    });

    it("shows the nonce itself instead of its hash: wrong_nonce", async () => {
      const { payTo, main, payer } = stack();
      const { nonce } = await running.client.challenge();
      const { account } = await payer();
      const hash = await sendTransfer(main, account, { to: payTo, value: price, behind: nonce });
      expect(said(await present({ hash, nonce }))).toEqual(refusedFor("wrong_nonce"));
    });

    it("moves another token: wrong_asset", async () => {
      const { main } = stack();
      const { abi, bytecode } = DevelopmentDollar;
      const deployed = await main.client.deployContract({ abi, bytecode, args: [] });
      const { contractAddress } = await main.client.waitForTransactionReceipt({ hash: deployed });
      const token = getAddress(contractAddress ?? somebody);
      const { account } = await stack().payer();
      const minted = await main.client.writeContract({
        ...{ address: token, abi, functionName: "mint", args: [account.address, price] },
      });
      await main.client.waitForTransactionReceipt({ hash: minted });
      expect(said(await present(await transfer({ account, token })))).toEqual(refusedFor("wrong_asset"));
    });

    it("is made up, or on another chain: transaction_not_found", async () => {
      const { nonce } = await running.client.challenge();
      const madeUp = await present({ hash: toHex(randomBytes(32)), nonce });
      expect(said(madeUp)).toEqual(refusedFor("transaction_not_found"));
      const elsewhere = await present(await transfer(), { network: "eip155:1" });
      expect(said(elsewhere)).toEqual(refusedFor("transaction_not_found"));
    });

    it("names a network that takes none: wrong_network", async () => {
      const paid = await transfer();
      for (const network of ["eip155:10", "arc-testnet-nano"]) {
        expect(said(await present(paid, { network }))).toEqual(refusedFor("wrong_network"));
      }
      const { status, error } = await present(paid, { network: "base" });
      expect([status, error?.error, error?.field]).toEqual([400, "INVALID_REQUEST", "X-Payment-Network"]);
    });

    it("comes without its nonce, or with one of another circuit", async () => {
      const { hash } = await transfer();
      const body = { circuit: running.client.asks, inputs: stack().inputs };
      const bare = await running.client.post(body, { "X-Payment-TX": hash });
      expect(said(bare)).toEqual([400, "MISSING_NONCE", undefined]);
      const nonce = await running.server.store.nonces.issue("network_eligibility");
      expect(said(await present({ hash, nonce }))).toEqual([400, "NONCE_CIRCUIT_MISMATCH", undefined]);
    });

    it("is our own settlement of an authorization, whose last bytes the payer chose: already_used", async () => {
      const { second } = stack();
      const { nonce } = await running.client.challenge();
      // A contract wallet ignores what stands behind its signature, and that is where calldata ends.
      const wallet = await createWalletPayer(second, price, (byOwner) =>
        walletSignature(byOwner, concatHex([pad("0x", { size: 30 }), bound(nonce)])),
      );
      const { header } = await wallet.sign(await running.client.offer("eip155:1"));
      const bought = await running.client.buy(stack().inputs, header);
      expect(bought.status).toBe(200);
      const hash: Hex = `0x${bought.transaction?.slice(2)}`;
      const { input } = await second.client.getTransaction({ hash });
      expect(input.endsWith(bound(nonce).slice(2))).toBe(true);
      const again = await present({ hash, nonce }, { network: "eip155:1" });
      expect(said(again)).toEqual(refusedFor("already_used"));
    });
  });

  describe("a transaction pays once", () => {
    it("with a thousand nonces at once: one proof", async () => {
      const paid = await transfer();
      const { server } = running;
      const nonces = await Promise.all(
        Array.from({ length: 999 }, () => server.store.nonces.issue(running.client.asks)),
      );
      const asked = backend.asked;
      const known = (await rows()).length;
      // The right one comes when some wrong ones were refused; those after it find the payment made.
      const all = [...nonces.slice(0, 100), paid.nonce, ...nonces.slice(100)];
      const answers: Answer[] = [];
      // Fifty connections at a time; the prover sees no order in them.
      const next = all.values();
      const send = async () => {
        for (const nonce of next) answers.push(await present({ hash: paid.hash, nonce }));
      };
      await Promise.all(Array.from({ length: 50 }, send));
      const proofs = new Set(answers.flatMap(({ result }) => result?.proof ?? []));
      expect(proofs.size).toBe(1);
      expect([backend.asked - asked, (await rows()).length - known]).toEqual([1, 1]);
    });

    it("and with other inputs not at all: 409", async () => {
      const paid = await transfer();
      expect((await present(paid)).status).toBe(200);
      const other = await present(paid, { inputs: { ...stack().inputs, scope: `${scope}.other` } });
      expect(said(other)).toEqual([409, "PAYMENT_ALREADY_USED", undefined]);
    });

    it("and its nonce serves no second one", async () => {
      const first = await transfer();
      const second = await sendTransfer(stack().main, first.account, {
        ...{ to: stack().payTo, value: price, behind: bound(first.nonce) },
      });
      const answers = await Promise.all([present(first), present({ hash: second, nonce: first.nonce })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(answers.find(({ status }) => status === 400)?.error).toMatchObject({
        ...{ error: "INVALID_NONCE", reason: "used" },
      });
    });
  });

  describe("a transaction that is not settled yet", () => {
    const control = () => stack().main.control;
    let patient: RunningProver;
    beforeAll(async () => {
      patient = await stack().start(taking(3), stack().replaying());
    });
    const fresh = async () => {
      const { account } = await stack().payer();
      const { nonce } = await patient.client.challenge();
      return { account, nonce, right: { to: stack().payTo, value: price, behind: bound(nonce) } };
    };

    it("waits for its confirmations and charges nothing anew", async () => {
      const { account, nonce, right } = await fresh();
      const paid = { hash: await sendTransfer(stack().main, account, right), nonce };
      expect(said(await present(paid, { to: patient }))).toEqual([503, "BUSY", "settlement_unconfirmed"]);
      await control().mine({ blocks: 2 });
      expect((await present(paid, { to: patient })).status).toBe(200);
      expect(await stack().main.balance(account.address)).toBe(0n);
    });

    it("is not settled by a block that was reorganized away, and pays when it is mined again", async () => {
      const { account, nonce, right } = await fresh();
      const raw = await signTransfer(stack().main, account, right);
      const snapshot = await control().snapshot();
      const send = () => stack().main.client.sendRawTransaction({ serializedTransaction: raw });
      const paid = { hash: await send(), nonce };
      expect(said(await present(paid, { to: patient }))).toEqual([503, "BUSY", "settlement_unconfirmed"]);
      await control().revert({ id: snapshot });
      await control().mine({ blocks: 5 });
      expect(said(await present(paid, { to: patient }))).toEqual([503, "BUSY", "settlement_unconfirmed"]);
      await send();
      await control().mine({ blocks: 2 });
      expect((await present(paid, { to: patient })).status).toBe(200);
    });
  });
}

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
      const row = (await running.rows()).find((each) => each.id === id) ?? expect.fail();
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
      const signed = await signThree(await stack().payer(), "eip155:1");
      const [first, second, third] = signed.paying.map(({ header }) => header);
      const before = await chain.balance(payTo);
      await chain.withoutBlocks(async () => {
        expect(said(await buy(first ?? ""))).toEqual([503, "BUSY", "settlement_unconfirmed"]);
        await alsoAccepted(signed.paying);
        // Ahead of ours in the block, by its fee.
        const ahead = 50n * 10n ** 9n;
        await submitTogether(chain, together(signed), { maxFeePerGas: ahead, maxPriorityFeePerGas: ahead });
      });
      expect(await chain.balance(payTo)).toBe(before + price);
      const answers = await Promise.all([buy(second ?? ""), buy(first ?? ""), buy(third ?? "")]);
      expect(answers.map(said)).toEqual([used, [200, undefined, undefined], used]);
      const ids: string[] = idsOf(...signed.paying);
      const rows = (await running.rows()).filter(({ id }) => ids.includes(id));
      expect(rows.filter(({ state }) => state === "proven")).toMatchObject([
        { id: idsOf(signed.paying[0])[0], tx_hash: answers[1]?.transaction, log_index: 3 },
      ]);
      expect(rows.filter(({ state }) => state === "void")).toHaveLength(2);
    });
  });
}
