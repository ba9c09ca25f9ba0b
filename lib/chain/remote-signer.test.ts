import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import {
  createWalletClient,
  type Hex,
  http,
  parseEther,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from "viem";
import { createNonceManager, generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { jsonRpc } from "viem/nonce";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { account as anvilAccount, type LocalChain, startLocalChain } from "@/contracts/local-chain";
import { remoteSigner } from "@/lib/proofs/client/remote-signer";
import { transferTypes } from "@/lib/proofs/wire";
import { type RemoteKey, signingKeyOf } from "@/lib/settings/keys";
import { portOf } from "@/lib/testing/port";
import { addressOf, signerOf } from "./remote-signer";

const chainId = 8453;
const account = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const asked: TransactionSerializableEIP1559 = {
  ...{ type: "eip1559", chainId, to: `0x${"22".repeat(20)}`, data: "0xabcd", value: 5n },
  ...{ gas: 60_000n, nonce: 3, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
};

describe("a signer that is real", () => {
  let chain: LocalChain;
  beforeAll(async () => {
    chain = await startLocalChain(chainId);
  });
  afterAll(() => chain?.stop());

  it("signs a transaction that its chain mines", async () => {
    const { address } = anvilAccount(1);
    const signer = signerOf({ url: chain.anvil.rpcUrl, address });
    const [nonce, before] = await Promise.all([
      chain.client.getTransactionCount({ address }),
      chain.client.getBalance({ address: stranger.address }),
    ]);
    const raw = await signer.signTransaction({
      ...asked,
      to: stranger.address,
      nonce,
      value: parseEther("1"),
    });
    const hash = await chain.client.sendRawTransaction({ serializedTransaction: raw });
    const receipt = await chain.client.waitForTransactionReceipt({ hash });
    expect(receipt).toMatchObject({ status: "success", from: address.toLowerCase() });
    expect(await chain.client.getBalance({ address: stranger.address })).toBe(before + parseEther("1"));
  });

  it("is an account of a wallet client, which numbers parallel transactions", async () => {
    const { rpcUrl } = chain.anvil;
    const nonceManager = createNonceManager({ source: jsonRpc() });
    const signer = signerOf({ url: rpcUrl, address: anvilAccount(2).address }, { nonceManager });
    const wallet = createWalletClient({ account: signer, chain: chain.chain, transport: http(rpcUrl) });
    const hashes = await Promise.all(
      [1n, 2n].map((value) => wallet.sendTransaction({ to: stranger.address, value })),
    );
    const receipts = await Promise.all(
      hashes.map((hash) => chain.client.waitForTransactionReceipt({ hash })),
    );
    expect(receipts.map(({ status, from }) => [status, from])).toEqual(
      Array.from({ length: 2 }, () => ["success", signer.address.toLowerCase()]),
    );
  });

  it("signs typed data of a payment", async () => {
    const { address } = anvilAccount(1);
    const wallet = remoteSigner({ url: chain.anvil.rpcUrl, address });
    const signature = await wallet.signTypedData({
      domain: { name: "USD", version: "2", chainId, verifyingContract: stranger.address },
      types: transferTypes,
      primaryType: "TransferWithAuthorization",
      message: {
        ...{ from: address, to: stranger.address, value: 1n, validAfter: 0n, validBefore: 1n },
        nonce: `0x${"11".repeat(32)}`,
      },
    });
    expect(signature).toMatch(/^0x[0-9a-f]{130}$/);
  });

  it("does not sign for an account that it does not have", async () => {
    const signer = signerOf({ url: chain.anvil.rpcUrl, address: stranger.address });
    await expect(signer.signTransaction(asked)).rejects.toMatchObject({ code: "SIGNER_UNAVAILABLE" });
  });
});

describe("a signer of any kind", () => {
  const requestSchema = z.object({
    id: z.number(),
    method: z.literal("eth_signTransaction"),
    params: z.tuple([z.record(z.string(), z.string())]),
  });
  let server: Server | undefined;
  let seen: { authorization: string | undefined; params: unknown }[] = [];
  afterEach(async () => {
    seen = [];
    server?.closeAllConnections();
    server?.close();
    if (server) await once(server, "close");
  });

  /** Starts a signer. @param answer its result; null for a body that never ends */
  async function signing(answer: () => Promise<unknown>, token?: string): Promise<RemoteKey> {
    server = createServer(async (request, response) => {
      const { id, params } = requestSchema.parse(JSON.parse(await text(request)));
      seen.push({ authorization: request.headers.authorization, params: params[0] });
      response.setHeader("content-type", "application/json");
      const result = await answer();
      if (result === null) response.write("{");
      else response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { url: `http://127.0.0.1:${portOf(server)}`, address: account.address, token };
  }
  const outcome = async (answer: () => Promise<unknown>, timeoutMs?: number) => {
    const key = await signing(answer);
    return await signerOf(key, { timeoutMs })
      .signTransaction(asked)
      .catch((error: unknown) => error);
  };
  const isWrong = expect.objectContaining({ name: "RemoteSignerError", code: "SIGNATURE_WRONG" });
  const isAway = expect.objectContaining({ name: "RemoteSignerError", code: "SIGNER_UNAVAILABLE" });

  it("gets every field of the transaction, and our token", async () => {
    const key = await signing(() => account.signTransaction(asked), "a-token");
    expect(await signerOf(key).signTransaction(asked)).toBe(await account.signTransaction(asked));
    expect(addressOf(key)).toBe(account.address);
    expect(seen).toEqual([
      {
        authorization: "Bearer a-token",
        params: {
          ...{ from: account.address, to: asked.to, data: "0xabcd", value: "0x5", gas: "0xea60" },
          ...{ nonce: "0x3", maxFeePerGas: "0x2540be400", maxPriorityFeePerGas: "0x1", chainId: "0x2105" },
        },
      },
    ]);
  });

  it("may answer with an object, as Geth does", async () => {
    const signed = await account.signTransaction(asked);
    expect(await outcome(async () => ({ raw: signed, tx: {} }))).toBe(signed);
  });

  it.each<[string, Partial<TransactionSerializableEIP1559>]>([
    ["recipient", { to: stranger.address }],
    ["call", { data: "0xabce" }],
    ["amount", { value: 6n }],
    ["gas", { gas: 60_001n }],
    ["nonce", { nonce: 4 }],
    ["fee", { maxFeePerGas: 10n ** 12n }],
    ["tip", { maxPriorityFeePerGas: 2n }],
    ["chain", { chainId: 1 }],
    ["access list", { accessList: [{ address: stranger.address, storageKeys: [] }] }],
  ])("that signs another %s is not believed", async (_, change) => {
    expect(await outcome(() => account.signTransaction({ ...asked, ...change }))).toEqual(isWrong);
  });

  it("that signs with another key is not believed", async () => {
    expect(await outcome(() => stranger.signTransaction(asked))).toEqual(isWrong);
  });

  it("that signs as nodes refuse it is not believed", async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const { r = "0x", s = "0x", yParity = 0 } = parseTransaction(await account.signTransaction(asked));
    const flipped: Hex = `0x${(order - BigInt(s)).toString(16).padStart(64, "0")}`;
    const high = serializeTransaction(asked, { r, s: flipped, yParity: 1 - yParity });
    expect(await outcome(async () => high)).toEqual(isWrong);
  });

  it.each([
    ["no text", 7],
    ["no transaction", "0xdead"],
    ["an unsigned one", serializeTransaction(asked)],
  ])("that answers %s is not believed", async (_, answer) => {
    expect(await outcome(async () => answer)).toEqual(isWrong);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["does not answer", () => new Promise(() => undefined)],
    ["begins an answer", async () => null],
  ])("that %s is given up", async (_, answer) => {
    expect(await outcome(answer, 100)).toEqual(isAway);
  });

  it("that answers without end is given up", async () => {
    expect(await outcome(async () => `0x${"00".repeat(1_000_000)}`)).toEqual(isAway);
  });

  it("signs nothing but transactions for us", async () => {
    const signer = signerOf(await signing(async () => "0x"));
    await expect(signer.signMessage({ message: "m" })).rejects.toThrow("transactions only");
    expect(seen).toEqual([]);
  });
});

describe("the settings of a signing key", () => {
  const none = { key: undefined, url: undefined, address: undefined, token: undefined };
  const remote = { url: "https://signer.example", address: account.address };

  it("name a key or a signer", () => {
    const key = generatePrivateKey();
    expect(signingKeyOf("RECORD", { ...none, key }, true)).toEqual({ key, problems: [] });
    expect(signingKeyOf("RECORD", { ...none, ...remote }, true)).toEqual({
      ...{ key: { ...remote, token: undefined }, problems: [] },
    });
    expect(signingKeyOf("RECORD", none, true)).toEqual({ key: undefined, problems: [] });
  });

  it.each([
    [
      "both",
      { ...none, ...remote, key: generatePrivateKey() },
      /RECORD_KEY and RECORD_SIGNER_URL are both set/,
    ],
    ["no address", { ...none, url: remote.url }, /RECORD_SIGNER_URL and RECORD_SIGNER_ADDRESS come together/],
    ["no URL", { ...none, address: remote.address }, /come together/],
    ["a token alone", { ...none, token: "t" }, /come together/],
    ["http", { ...none, ...remote, url: "http://signer.example" }, /RECORD_SIGNER_URL must be https/],
  ])("are refused with %s", (_, settings, problem) => {
    expect(signingKeyOf("RECORD", settings, true)).toEqual({ problems: [expect.stringMatching(problem)] });
  });

  it("may name a signer on this machine, and in development one that nobody secures", () => {
    for (const url of ["http://127.0.0.1:9000", "http://localhost:9000"]) {
      expect(signingKeyOf("RECORD", { ...none, ...remote, url }, true).problems).toEqual([]);
    }
    const open = { ...none, ...remote, url: "http://signer:9000" };
    expect(signingKeyOf("RECORD", open, false).problems).toEqual([]);
    expect(signingKeyOf("RECORD", { ...open, token: "t" }, false).problems).toHaveLength(1);
  });
});
