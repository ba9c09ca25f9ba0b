import { concatHex, createTestClient, encodeAbiParameters, type Hex, http, slice, toHex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { beforeAll, describe, expect, it } from "vitest";
import { createPayer } from "../testing/payer";
import { price, type RunningProver, type Stack } from "../testing/stack";
import { createWalletPayer, walletSignature } from "../testing/wallets";

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
    const chainOf = (network: string) => (network === "eip155:8453" ? stack().main : stack().second);
    const control = (network: string) =>
      createTestClient({ mode: "anvil", transport: http(chainOf(network).anvil.rpcUrl) });
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
        const payer = createPayer(undefined, {
          address,
          written: (byOwner) => wrapped(walletSignature(byOwner)),
        });
        const { header } = await payer.sign(await running.client.offer(network));
        expect(await refused(header)).toEqual([402, "wallet_not_deployed"]);
      }
    });

    it("are refused when they would burn our gas", async () => {
      const wallet = await createWalletPayer(chainOf("eip155:1"), price);
      // Says yes to everything, after counting down from 131,072, which takes 3.4 million gas.
      const bytecode = "0x620200005b6001900380600457631626ba7e60e01b60005260206000f3";
      await control("eip155:1").setCode({ address: wallet.address, bytecode });
      const { header } = await wallet.sign(await running.client.offer("eip155:1"));
      expect(await refused(header)).toEqual([402, "invalid_signature"]);
    });

    it("ask the code of an account that has both a key and code, as its token does", async () => {
      const payer = await stack().payer();
      await control("eip155:1").setCode({ address: payer.account.address, bytecode: "0x5f5ffd" });
      const { header } = await payer.sign(await running.client.offer("eip155:1"));
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
      for (const signature of [
        larger,
        walletSignature(signed.signature),
        concatHex([signed.signature, "0x00"]),
      ]) {
        const { header } = await wallet.sign(offer, {
          ...{ signature, nonce, validAfter: Number(validAfter), validBefore: Number(validBefore) },
        });
        expect(await refused(header)).toEqual([402, "invalid_signature"]);
      }
      expect(await stack().main.balance(wallet.account.address)).toBe(price);
    });
  });
}
