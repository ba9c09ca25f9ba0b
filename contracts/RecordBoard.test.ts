import { type Address, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RecordBoard } from "./index";
import { account, startLocalChain } from "./local-chain";

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let board: Address;
beforeAll(async () => {
  chain = await startLocalChain();
  board = await chain.deploy(RecordBoard);
}, 60_000);
afterAll(() => chain.stop());

test("a record is an event with its four hashes, the sender and the block's time, found by post or content", async () => {
  const word = (n: number) => toHex(n, { size: 32 });
  const record = async (index: number, post: number, content: number) => {
    const hash = await chain.wallet(index).writeContract({
      address: board,
      abi: RecordBoard.abi,
      functionName: "record",
      args: [word(post), word(content), word(3), word(4)],
    });
    return chain.client.waitForTransactionReceipt({ hash });
  };
  const { blockNumber } = await record(1, 1, 2);
  await record(2, 1, 22);
  await record(2, 11, 2);

  const find = (args: { postIdHash?: `0x${string}`; contentHash?: `0x${string}`; sender?: Address }) =>
    chain.client.getContractEvents({
      address: board,
      abi: RecordBoard.abi,
      eventName: "Recorded",
      args,
      fromBlock: 0n,
    });
  expect(await find({ postIdHash: word(1) })).toHaveLength(2);
  expect(await find({ contentHash: word(2) })).toHaveLength(2);
  const [event, ...others] = await find({ sender: account(1).address });
  expect(others).toEqual([]);
  expect(event?.args).toEqual({
    postIdHash: word(1),
    contentHash: word(2),
    authorHash: word(3),
    recorderHash: word(4),
    sender: account(1).address,
    timestamp: (await chain.client.getBlock({ blockNumber })).timestamp,
  });
});
