import { concatHex, encodeAbiParameters, type Hex, slice, toHex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { beforeAll, describe, expect, it } from "vitest";
import { nonceLifetimeMs } from "../store/nonces";
import { type Changes, createPayer } from "../testing/payer";
import { circuit } from "../testing/prover-client";
import { price, type RunningProver, type Stack } from "../testing/stack";
import { createWalletPayer, walletSignature } from "../testing/wallets";

const now = () => Math.floor(Date.now() / 1000);
const somebody = privateKeyToAddress(generatePrivateKey());

const foreign = `0x${"11".repeat(64)}1b` as const;

/** Each wrong in one way, with the reason the client is to read. */
const wrongPayments: { name: string; reason: string; changes: () => Changes }[] = [
  { name: "underpaid", reason: "wrong_amount", changes: () => ({ value: "99999" }) },
  { name: "overpaid", reason: "wrong_amount", changes: () => ({ value: "100001" }) },
  { name: "to another recipient", reason: "wrong_recipient", changes: () => ({ to: somebody }) },
  { name: "on another network", reason: "wrong_network", changes: () => ({ network: "eip155:10" }) },
  { name: "in another token", reason: "wrong_asset", changes: () => ({ asset: somebody }) },
  { name: "expired", reason: "expired", changes: () => ({ validBefore: now() - 1 }) },
  { name: "about to expire", reason: "expired", changes: () => ({ validBefore: now() + 5 }) },
  { name: "early", reason: "not_yet_valid", changes: () => ({ validAfter: now() + 60 }) },
  { name: "with a foreign signature", reason: "invalid_signature", changes: () => ({ signature: foreign }) },
  { name: "with half a signature", reason: "invalid_signature", changes: () => ({ signature: "0x1234" }) },
];

/** Payments that are refused, each with its exact reason, and none of them charged or kept. */
export function payments(stack: () => Stack): void {
  describe("refusing a payment", () => {
    let running: RunningProver;
    beforeAll(async () => {
      running = await stack().start({}, stack().replaying());
    });

    it.each(wrongPayments)("$name: $reason", async ({ reason, changes }) => {
      const choice = { money: price * 2n, changes: changes() };
      const { header, left } = await stack().pay(running.client, choice);
      const answer = await running.client.buy(stack().inputs, header);
      expect([answer.status, answer.error]).toMatchObject([402, { error: "PAYMENT_INVALID", reason }]);
      // A fresh challenge comes with the refusal, so that the client can pay rightly at once.
      expect(answer.challenge?.accepts).toHaveLength(2);
      expect(answer.headers.get("payment-required")).not.toBeNull();
      expect([await left(), await running.rows()]).toEqual([price * 2n, []]);
    });

    it("insufficient balance: insufficient_balance", async () => {
      const { payer, inputs } = stack();
      const wallet = await payer(price - 1n);
      for (const network of ["eip155:8453", "eip155:1"]) {
        const { header } = await wallet.sign(await running.client.offer(network));
        const { status, error } = await running.client.buy(inputs, header);
        expect([status, error?.reason]).toEqual([402, "insufficient_balance"]);
      }
      expect(await running.rows()).toEqual([]);
    });

    it("spent on chain on something else: already_used", async () => {
      const { payer, inputs, main } = stack();
      const wallet = await payer(price * 2n);
      const offer = await running.client.offer("eip155:8453");
      const { header, signed } = await wallet.sign(offer);
      const { nonce } = signed.authorization;
      await main.submit((await wallet.sign(offer, { nonce, to: somebody })).signed);
      const { status, error } = await running.client.buy(inputs, header);
      expect([status, error?.reason]).toEqual([402, "already_used"]);
      expect([await main.balance(wallet.account.address), await running.rows()]).toEqual([price, []]);
    });

    it("payments F15: of more than 256 bits in any number: 400, and nothing is asked about it", async () => {
      const wallet = await createWalletPayer(stack().main, price);
      const { header } = await wallet.sign(await running.client.offer("eip155:8453"));
      const text = Buffer.from(header, "base64").toString();
      for (const field of ["value", "validAfter", "validBefore"]) {
        const tooLarge = text.replace(new RegExp(`"${field}":"[0-9]+"`), `"${field}":"${"9".repeat(78)}"`);
        expect(tooLarge).not.toBe(text);
        const sent = Buffer.from(tooLarge).toString("base64");
        const { status, error } = await running.client.buy(stack().inputs, sent);
        expect([status, error?.error, error?.field]).toEqual([400, "INVALID_REQUEST", "PAYMENT-SIGNATURE"]);
      }
    });

    it("an offer the client changed in its echo is not the offer", async () => {
      const { payer, inputs, payTo } = stack();
      const wallet = await payer();
      const offer = await running.client.offer("eip155:8453");
      const cheaper = await wallet.sign({ ...offer, amount: "1" });
      expect((await running.client.buy(inputs, cheaper.header)).error?.reason).toBe("wrong_amount");
      const elsewhere = await wallet.sign({ ...offer, payTo: somebody }, { to: payTo });
      expect((await running.client.buy(inputs, elsewhere.header)).error?.reason).toBe("wrong_recipient");
      const renamed = await wallet.sign({ ...offer, extra: { name: "Other Coin", version: "2" } });
      expect((await running.client.buy(inputs, renamed.header)).error?.reason).toBe("invalid_signature");
    });

    it("a header that is not a payment is a malformed request", async () => {
      const { client } = running;
      for (const header of ["", "?", Buffer.from("{}").toString("base64"), "A".repeat(5000)]) {
        const { status, error } = await client.buy(stack().inputs, header);
        expect([status, error?.error, error?.field]).toEqual([400, "INVALID_REQUEST", "PAYMENT-SIGNATURE"]);
      }
    });
  });

  describe("the challenge's nonce", () => {
    let running: RunningProver;
    beforeAll(async () => {
      running = await stack().start({}, stack().replaying());
    });

    it("is refused when made up, malformed or spent on another payment, and serves the same payment twice", async () => {
      const { payer, inputs } = stack();
      const { client } = running;
      const wallet = await payer(price * 2n);
      const { nonce, accepts } = await client.challenge();
      const first = await wallet.sign(accepts[0] ?? expect.fail());
      const send = async (header: string, value: string) => {
        const { status, error } = await client.buy(inputs, header, { "X-Payment-Nonce": value });
        return [status, error?.error, error?.reason];
      };
      expect(await send(first.header, "0x12")).toEqual([400, "INVALID_NONCE", undefined]);
      expect(await send(first.header, `0x${"00".repeat(32)}`)).toEqual([400, "INVALID_NONCE", "unknown"]);
      // Refused requests did not burn it.
      expect(await send(first.header, nonce)).toEqual([200, undefined, undefined]);
      expect(await send(first.header, nonce)).toEqual([200, undefined, undefined]);
      const second = await wallet.sign(accepts[0] ?? expect.fail());
      expect(await send(second.header, nonce)).toEqual([400, "INVALID_NONCE", "used"]);
    });

    it("is refused after a week and for another circuit", async () => {
      const { inputs } = stack();
      const { client, server } = running;
      const { header, left } = await stack().pay(client);
      const expired = server.store.nonces.issue(client.asks, 0, Date.now() - nonceLifetimeMs - 1_000);
      const late = await client.buy(inputs, header, { "X-Payment-Nonce": expired });
      expect([late.error?.error, late.error?.reason]).toEqual(["INVALID_NONCE", "expired"]);
      const other = server.store.nonces.issue("network_eligibility");
      const mismatch = await client.buy(inputs, header, { "X-Payment-Nonce": other });
      expect(mismatch.error?.error).toBe("NONCE_CIRCUIT_MISMATCH");
      expect(await left()).toBe(price);
    });
  });

  describe("payment by transaction", () => {
    it("is named as not offered rather than ignored", async () => {
      const headers = { "X-Payment-TX": `0x${"00".repeat(32)}` };
      const { status, error } = await stack().prover.client.post({ circuit }, headers);
      expect([status, error?.error, error?.field]).toEqual([400, "INVALID_REQUEST", "X-Payment-TX"]);
    });
  });
}

const networks = ["eip155:8453", "eip155:1"] as const;
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** ERC-6492: (factory, how to deploy, signature) and a mark at the end. */
const mark = "0x6492649264926492649264926492649264926492649264926492649264926492";
const wrapped = (signature: Hex): Hex =>
  concatHex([
    encodeAbiParameters(
      [{ type: "address" }, { type: "bytes" }, { type: "bytes" }],
      [privateKeyToAddress(`0x${"21".repeat(32)}`), "0x1234", signature],
    ),
    mark,
  ]);

/** PAYMENT-SIGNATURE of wallets that are contracts (ERC-1271), and of keys that only look like one. */
export function contractWallets(stack: () => Stack): void {
  describe("contract wallets", () => {
    let running: RunningProver;
    beforeAll(async () => {
      running = await stack().start({}, stack().replaying());
    });
    const chainOf = (network: string) => stack().chainOf(network);
    const refused = async (header: string) => {
      const { status, error } = await running.client.buy(stack().inputs, header);
      return [status, error?.reason];
    };

    it.each(networks)("pay on %s", async (network) => {
      const { payTo, inputs } = stack();
      const chain = chainOf(network);
      const wallet = await createWalletPayer(chain, price);
      const before = await chain.balance(payTo);
      const { header } = await wallet.sign(await running.client.offer(network));
      const answer = await running.client.buy(inputs, header);
      expect([answer.status, answer.error?.reason]).toEqual([200, undefined]);
      expect([await chain.balance(payTo), await chain.balance(wallet.address)]).toEqual([before + price, 0n]);
    });

    it("pay with a deployed wallet's ERC-6492 signature", async () => {
      const chain = chainOf("eip155:1");
      const wallet = await createWalletPayer(chain, price, (byOwner) => wrapped(walletSignature(byOwner)));
      const { header } = await wallet.sign(await running.client.offer("eip155:1"));
      expect((await running.client.buy(stack().inputs, header)).status).toBe(200);
      expect(await chain.balance(wallet.address)).toBe(0n);
    });

    it.each(networks)(
      "are refused on %s with what they do not stand for, and nothing is charged",
      async (network) => {
        const chain = chainOf(network);
        const offer = await running.client.offer(network);
        const wallet = await createWalletPayer(chain, price);
        const stranger = createPayer(undefined, { address: wallet.address, written: walletSignature });
        expect(await refused((await stranger.sign(offer)).header)).toEqual([402, "invalid_signature"]);
        // The owner's bare signature is not the wallet's.
        const bare = createPayer(wallet.account, { address: wallet.address, written: (byOwner) => byOwner });
        expect(await refused((await bare.sign(offer)).header)).toEqual([402, "invalid_signature"]);
        expect(await chain.balance(wallet.address)).toBe(price);
      },
    );

    it("are refused while they are not deployed: wallet_not_deployed", async () => {
      const address = privateKeyToAddress(generatePrivateKey());
      for (const network of networks) {
        await chainOf(network).mint(address, price);
        const written = (byOwner: Hex) => wrapped(walletSignature(byOwner));
        const payer = createPayer(undefined, { address, written });
        const { header } = await payer.sign(await running.client.offer(network));
        expect(await refused(header)).toEqual([402, "wallet_not_deployed"]);
      }
    });

    it("are refused when they would burn our gas", async () => {
      const wallet = await createWalletPayer(chainOf("eip155:1"), price);
      // Says yes to everything, after counting down from 131,072, which takes 3.4 million gas.
      const bytecode = "0x620200005b6001900380600457631626ba7e60e01b60005260206000f3";
      await stack().second.control.setCode({ address: wallet.address, bytecode });
      const { header } = await wallet.sign(await running.client.offer("eip155:1"));
      expect(await refused(header)).toEqual([402, "invalid_signature"]);
    });

    it("ask the code of an account that has both a key and code, as its token does", async () => {
      const { header, address } = await stack().pay(running.client, { network: "eip155:1" });
      await stack().second.control.setCode({ address, bytecode: "0x5f5ffd" });
      expect(await refused(header)).toEqual([402, "invalid_signature"]);
    });

    it("are not imitated by keys: other lengths and the larger s are refused", async () => {
      const { payer } = stack();
      const wallet = await payer();
      const offer = await running.client.offer("eip155:8453");
      const { signed } = await wallet.sign(offer);
      const { nonce, validAfter, validBefore } = signed.authorization;
      const s = order - BigInt(`0x${signed.signature.slice(66, 130)}`);
      const v = signed.signature.endsWith("1b") ? "0x1c" : "0x1b";
      const larger = concatHex([slice(signed.signature, 0, 32), toHex(s, { size: 32 }), v]);
      const longer = concatHex([signed.signature, "0x00"]);
      for (const signature of [larger, walletSignature(signed.signature), longer]) {
        const { header } = await wallet.sign(offer, {
          ...{ signature, nonce, validAfter: Number(validAfter), validBefore: Number(validBefore) },
        });
        expect(await refused(header)).toEqual([402, "invalid_signature"]);
      }
      expect(await stack().main.balance(wallet.account.address)).toBe(price);
    });
  });
}
