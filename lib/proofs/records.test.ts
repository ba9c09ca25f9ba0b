import { type Address, keccak256, toBytes, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RecordBoard } from "@/contracts";
import { account, startLocalChain } from "@/contracts/local-chain";
import { contentHashOf, postIdHashOf, readRecord, recordBoardAbi } from "./records";

const postId = "5b0c8c5e-1f2a-4f0e-9d0b-0a4c9e1f7a11";
const word = (n: number) => toHex(n, { size: 32 });

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let board: Address;
let otherBoard: Address;
beforeAll(async () => {
  chain = await startLocalChain();
  board = await chain.deploy(RecordBoard);
  otherBoard = await chain.deploy(RecordBoard);
}, 60_000);
afterAll(() => chain.stop());

test("hashes are of UTF-8 bytes, and of the id in lower case", () => {
  expect(contentHashOf("<p>Grüße 👋</p>")).toBe(keccak256(Buffer.from("<p>Grüße 👋</p>", "utf8")));
  expect(contentHashOf("")).toBe(keccak256(new Uint8Array()));
  expect(postIdHashOf(postId.toUpperCase())).toBe(keccak256(toBytes(postId)));
});

test("a record is read back from its transaction, and from no other board or post", async () => {
  const txHash = await chain.wallet(3).writeContract({
    address: board,
    abi: recordBoardAbi,
    functionName: "record",
    args: [postIdHashOf(postId), contentHashOf("text"), word(1), word(2)],
  });
  const { blockNumber } = await chain.client.waitForTransactionReceipt({ hash: txHash });
  const { timestamp } = await chain.client.getBlock({ blockNumber });
  expect(await readRecord(chain.client, { txHash, board })).toEqual({
    contentHash: contentHashOf("text"),
    postIdHash: postIdHashOf(postId),
    sender: account(3).address,
    blockNumber: Number(blockNumber),
    timestamp: Number(timestamp),
  });
  expect(await readRecord(chain.client, { txHash, board, postIdHash: word(9) })).toBeNull();
  expect(await readRecord(chain.client, { txHash, board: otherBoard })).toBeNull();
});

test("no record where there is no transaction; a chain that is away is an error, not an answer", async () => {
  expect(await readRecord(chain.client, { txHash: word(7), board })).toBeNull();
  await chain.anvil.stop();
  await expect(readRecord(chain.client, { txHash: word(7), board })).rejects.toThrow();
});
