import { type Abi, type Address, encodeDeployData, type Hex, parseAbi, parseSignature, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DevelopmentDollar } from "./index";
import { account, startLocalChain } from "./local-chain";
import { double } from "./test/double";

// Widened, so that one helper can call every function.
const abi: Abi = DevelopmentDollar.abi;
const CHAIN_ID = 4711;
const [alice, bob, mallory] = [account(1), account(2), account(3)];
const TYPES = {
  TransferWithAuthorization: authorization(),
  ReceiveWithAuthorization: authorization(),
  CancelAuthorization: [
    { name: "authorizer", type: "address" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;
type Kind = "TransferWithAuthorization" | "ReceiveWithAuthorization";

interface Order {
  from: Address;
  to: Address;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
  signature: Hex;
}

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let token: Address;
let nonces = 0;

beforeAll(async () => {
  chain = await startLocalChain(CHAIN_ID);
  token = await chain.deploy(DevelopmentDollar);
  await send(0, "mint", [alice.address, 1_000_000n]);
}, 60_000);
afterAll(() => chain.stop());

describe("ERC-20", () => {
  test("is a six-decimal token under the name payment clients sign for", async () => {
    expect(await read("name")).toBe("USD Coin");
    expect(await read("version")).toBe("2");
    expect(await read("decimals")).toBe(6);
  });

  test("transfers move exactly the amount and announce it", async () => {
    const before = await balances();
    const receipt = await send(1, "transfer", [bob.address, 250n]);
    expect(await balances()).toEqual([before[0] - 250n, before[1] + 250n]);
    const [event] = await chain.client.getContractEvents({
      address: token,
      abi: DevelopmentDollar.abi,
      eventName: "Transfer",
      blockHash: receipt?.blockHash,
    });
    expect(event?.args).toEqual({ from: alice.address, to: bob.address, value: 250n });
  });

  test("no transfer beyond the balance, nor to nobody", async () => {
    await expect(send(3, "transfer", [bob.address, 1n])).rejects.toThrow("InsufficientBalance");
    await expect(send(1, "transfer", [toHex(0, { size: 20 }), 1n])).rejects.toThrow("InvalidRecipient");
  });

  test("an allowance is spent by its use and no further", async () => {
    await send(1, "approve", [bob.address, 100n]);
    await send(2, "transferFrom", [alice.address, bob.address, 60n]);
    await expect(send(2, "transferFrom", [alice.address, bob.address, 60n])).rejects.toThrow(
      "InsufficientAllowance",
    );
    expect(await read("allowance", [alice.address, bob.address])).toBe(40n);
    await expect(send(3, "transferFrom", [alice.address, bob.address, 1n])).rejects.toThrow(
      "InsufficientAllowance",
    );
  });
});

describe("EIP-3009", () => {
  test("anyone may submit a signed transfer, in both signature forms, once", async () => {
    for (const form of ["bytes", "vrs"] as const) {
      const before = await balances();
      const order = await signed("TransferWithAuthorization");
      await submit(3, "transferWithAuthorization", order, form);
      expect(await balances()).toEqual([before[0] - 1000n, before[1] + 1000n]);
      expect(await read("authorizationState", [alice.address, order.nonce])).toBe(true);
      await expect(submit(3, "transferWithAuthorization", order, form)).rejects.toThrow(
        "AuthorizationUsedOrCanceled",
      );
      expect(await balances()).toEqual([before[0] - 1000n, before[1] + 1000n]);
    }
  });

  test("the same nonce of another authoriser is another authorisation", async () => {
    const nonce = toHex(999, { size: 32 });
    await submit(3, "transferWithAuthorization", await signed("TransferWithAuthorization", { nonce }));
    await submit(
      3,
      "transferWithAuthorization",
      await signed(
        "TransferWithAuthorization",
        { nonce, from: bob.address, to: alice.address, value: 1n },
        bob,
      ),
    );
  });

  test.each([
    ["value", { value: 2000n }],
    ["to", { to: mallory.address }],
    ["from", { from: bob.address }],
    ["validBefore", { validBefore: 1n << 60n }],
    ["validAfter", { validAfter: 1n }],
    ["nonce", { nonce: toHex(77, { size: 32 }) }],
  ])("a changed %s makes the signature worthless", async (_, change) => {
    const order = await signed("TransferWithAuthorization");
    await expect(submit(3, "transferWithAuthorization", { ...order, ...change })).rejects.toThrow(
      "InvalidSignature",
    );
  });

  test("not before, not after, and the bounds themselves are outside", async () => {
    const order = await signed("TransferWithAuthorization", { validAfter: 5000n, validBefore: 5002n });
    const at = (time: bigint) => submit(3, "transferWithAuthorization", order, "bytes", { time });
    await expect(at(5000n)).rejects.toThrow("AuthorizationNotYetValid");
    await expect(at(5002n)).rejects.toThrow("AuthorizationExpired");
    await at(5001n);
  });

  test("receiveWithAuthorization is for the payee alone", async () => {
    const order = await signed("ReceiveWithAuthorization");
    await expect(submit(3, "receiveWithAuthorization", order)).rejects.toThrow("CallerNotPayee");
    await expect(submit(3, "transferWithAuthorization", order)).rejects.toThrow("InvalidSignature");
    await submit(2, "receiveWithAuthorization", order);
    await submit(2, "receiveWithAuthorization", await signed("ReceiveWithAuthorization"), "vrs");
  });

  test("a cancelled authorisation cannot be used, and only its author cancels", async () => {
    const order = await signed("TransferWithAuthorization");
    const message = { authorizer: alice.address, nonce: order.nonce };
    const sign = (by: typeof alice) =>
      by.signTypedData({ domain: domain(), types: TYPES, primaryType: "CancelAuthorization", message });
    const theirs = await sign(mallory);
    await expect(send(3, "cancelAuthorization", [alice.address, order.nonce, theirs])).rejects.toThrow(
      "InvalidSignature",
    );
    const { r, s, v } = parseSignature(await sign(alice));
    await send(3, "cancelAuthorization", [alice.address, order.nonce, Number(v), r, s]);
    await expect(submit(3, "transferWithAuthorization", order)).rejects.toThrow(
      "AuthorizationUsedOrCanceled",
    );
    await expect(
      send(3, "cancelAuthorization", [alice.address, order.nonce, await sign(alice)]),
    ).rejects.toThrow("AuthorizationUsedOrCanceled");
  });

  test("a signature for another chain or token is refused", async () => {
    for (const other of [{ chainId: 1 }, { verifyingContract: bob.address }, { version: "1" }]) {
      const order = await signed("TransferWithAuthorization", {}, alice, other);
      await expect(submit(3, "transferWithAuthorization", order)).rejects.toThrow("InvalidSignature");
    }
  });

  test("the malleable twin of a signature and signatures of odd length are refused", async () => {
    const order = await signed("TransferWithAuthorization");
    const { r, s, v } = parseSignature(order.signature);
    const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const twin: Hex = `${r}${toHex(N - BigInt(s), { size: 32 }).slice(2)}${v === 27n ? "1c" : "1b"}`;
    const short: Hex = `0x${order.signature.slice(2, -2)}`;
    for (const signature of [twin, short, `${order.signature}00`, "0x"] satisfies Hex[]) {
      await expect(submit(3, "transferWithAuthorization", { ...order, signature })).rejects.toThrow(
        "InvalidSignature",
      );
    }
    await submit(3, "transferWithAuthorization", order);
  });

  test("an unrecoverable signature does not speak for the zero address", async () => {
    const order = { ...(await signed("TransferWithAuthorization")), from: toHex(0, { size: 20 }) };
    const signature: Hex = `0x${"00".repeat(65)}`;
    await expect(submit(3, "transferWithAuthorization", { ...order, signature, value: 0n })).rejects.toThrow(
      "InvalidSignature",
    );
  });

  test("a contract wallet pays by its own rule (ERC-1271), and a refusal or revert of that rule is final", async () => {
    const wallet = await chain.deploy({
      abi: parseAbi(["constructor(address)"]),
      bytecode: encodeDeployData({
        abi: parseAbi(["constructor(address)"]),
        bytecode: await double("WalletDouble"),
        args: [alice.address],
      }),
    });
    await send(0, "mint", [wallet, 5000n]);
    const order = await signed("TransferWithAuthorization", { from: wallet });
    const forged = await signed("TransferWithAuthorization", { from: wallet }, mallory);
    await expect(submit(3, "transferWithAuthorization", forged)).rejects.toThrow("InvalidSignature");
    await expect(submit(3, "transferWithAuthorization", { ...order, signature: "0x1234" })).rejects.toThrow(
      "InvalidSignature",
    );
    await submit(3, "transferWithAuthorization", order);
    expect(await read("balanceOf", [wallet])).toBe(4000n);
    // A contract without that rule cannot be spoken for at all.
    const mute = await signed("TransferWithAuthorization", { from: token });
    await expect(submit(3, "transferWithAuthorization", mute)).rejects.toThrow("InvalidSignature");
  }, 60_000);
});

function authorization() {
  return [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ] as const;
}

function domain() {
  return { name: "USD Coin", version: "2", chainId: CHAIN_ID, verifyingContract: token } as const;
}

/** An order of 1000 units from alice to bob with a fresh nonce, signed by `by`. */
async function signed(
  primaryType: Kind,
  change: Partial<Order> = {},
  by = alice,
  domainChange: Partial<{ chainId: number; verifyingContract: Address; version: string }> = {},
): Promise<Order> {
  const message = {
    from: alice.address,
    to: bob.address,
    value: 1000n,
    validAfter: 0n,
    validBefore: 1n << 40n,
    nonce: toHex(++nonces, { size: 32 }),
    ...change,
  };
  const signature = await by.signTypedData({
    domain: { ...domain(), ...domainChange },
    types: TYPES,
    primaryType,
    message,
  });
  return { ...message, signature };
}

/** Submits an order; with `time` only as a call at that time. */
function submit(
  index: number,
  functionName: "transferWithAuthorization" | "receiveWithAuthorization",
  { signature, from, to, value, validAfter, validBefore, nonce }: Order,
  form: "bytes" | "vrs" = "bytes",
  at?: { time: bigint },
) {
  const common = [from, to, value, validAfter, validBefore, nonce];
  if (form === "bytes") return send(index, functionName, [...common, signature], at);
  const { r, s, v } = parseSignature(signature);
  return send(index, functionName, [...common, Number(v), r, s], at);
}

async function send(index: number, functionName: string, args: readonly unknown[], at?: { time: bigint }) {
  const { request } = await chain.client.simulateContract({
    address: token,
    abi,
    functionName,
    args,
    account: account(index),
    blockOverrides: at,
  });
  if (at) return undefined;
  return chain.client.waitForTransactionReceipt({ hash: await chain.wallet(index).writeContract(request) });
}

function read(functionName: string, args: readonly unknown[] = []) {
  return chain.client.readContract({ address: token, abi, functionName, args });
}

async function balances(): Promise<[bigint, bigint]> {
  const of = (who: Address) =>
    chain.client.readContract({
      address: token,
      abi: DevelopmentDollar.abi,
      functionName: "balanceOf",
      args: [who],
    });
  return [await of(alice.address), await of(bob.address)];
}
