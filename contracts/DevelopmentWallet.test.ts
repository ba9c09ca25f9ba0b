import { type Address, concatHex, encodeFunctionData, type Hex, keccak256, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DevelopmentWallet, RecordBoard } from "./index";
import { account, startLocalChain } from "./local-chain";

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let wallet: Address;
beforeAll(async () => {
  chain = await startLocalChain();
  wallet = await chain.deploy(DevelopmentWallet, [account(1).address]);
}, 60_000);
afterAll(() => chain.stop());

const hash = keccak256("0x01");
const stands = (signature: Hex) =>
  chain.client.readContract({
    ...{
      address: wallet,
      abi: DevelopmentWallet.abi,
      functionName: "isValidSignature",
      args: [hash, signature],
    },
  });

test("stands for what its owner signed, and for nothing else", async () => {
  const byOwner = await account(1).sign({ hash });
  const byStranger = await account(2).sign({ hash });
  const byOwnerOfAnother = await account(1).sign({ hash: keccak256("0x02") });
  expect(await stands(concatHex(["0x01", byOwner]))).toBe("0x1626ba7e");
  expect(await stands(concatHex(["0x01", byOwner, "0xabcd"]))).toBe("0x1626ba7e");
  for (const wrong of [
    byOwner,
    concatHex(["0x01", byStranger]),
    concatHex(["0x01", byOwnerOfAnother]),
    "0x",
  ] as const) {
    expect(await stands(wrong)).toBe("0xffffffff");
  }
});

test("does what its owner tells it to", async () => {
  const board = await chain.deploy(RecordBoard);
  const word = toHex(1, { size: 32 });
  const data = encodeFunctionData({
    ...{ abi: RecordBoard.abi, functionName: "record", args: [word, word, word, word] },
  });
  const call = {
    address: wallet,
    abi: DevelopmentWallet.abi,
    functionName: "execute",
    args: [board, data],
  } as const;
  await expect(chain.wallet(2).writeContract(call)).rejects.toThrow("NotOwner");
  const { status, logs } = await chain.client.waitForTransactionReceipt({
    hash: await chain.wallet(1).writeContract(call),
  });
  expect([status, logs.length]).toEqual(["success", 1]);
});
