import { once } from "node:events";
import http from "node:http";
import { encodeAbiParameters, encodeEventTopics, type Hex, keccak256, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentHashOf, postIdHashOf, recordBoardAbi } from "@/lib/proofs/records";
import { portOf } from "@/lib/testing/port";
import { type Claim, compareWithChain } from "./compare";

const claim: Claim = {
  postId: "7b8c3a52-0f7e-4d7c-9d0e-2f6f3f8f9a10",
  content: "<p>안녕</p>",
  txHash: keccak256("0x01"),
  chainId: 8453,
  board: "0x00000000000000000000000000000000000000b0",
  sender: "0x00000000000000000000000000000000000000a1",
};

/** A node that knows one transaction, as the test says. */
let chainId = claim.chainId;
let receipt: unknown = null;
let rpcUrl: string;
const node = http.createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  const { id, method }: { id: number; method: string } = JSON.parse(text);
  const result = method === "eth_chainId" ? toHex(chainId) : receipt;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
beforeAll(async () => {
  node.listen(0, "127.0.0.1");
  await once(node, "listening");
  rpcUrl = `http://127.0.0.1:${portOf(node)}`;
});
afterAll(() => node.close());

interface Recorded {
  readonly board?: Hex;
  readonly sender?: Hex;
  readonly postId?: string;
  readonly content?: string;
}

function recorded(over: Recorded): unknown {
  const { board, sender, postId, content } = { ...claim, ...over };
  const word = toHex(7, { size: 32 });
  const log = {
    address: board,
    topics: encodeEventTopics({
      abi: recordBoardAbi,
      eventName: "Recorded",
      args: { postIdHash: postIdHashOf(postId), contentHash: contentHashOf(content), sender },
    }),
    data: encodeAbiParameters(
      [{ type: "bytes32" }, { type: "bytes32" }, { type: "uint256" }],
      [word, word, 1_795_000_000n],
    ),
    blockNumber: "0x10",
    logIndex: "0x0",
    transactionIndex: "0x0",
    transactionHash: claim.txHash,
    blockHash: word,
    removed: false,
  };
  return { status: "0x1", logs: [log], blockNumber: "0x10", transactionHash: claim.txHash, type: "0x2" };
}

async function differences(over: Recorded): Promise<readonly string[]> {
  receipt = recorded(over);
  const result = await compareWithChain(claim, rpcUrl);
  if (result.kind !== "compared") return [result.kind];
  expect(result).toMatchObject({ timestamp: 1_795_000_000, blockNumber: 16 });
  return result.comparisons.flatMap(({ what, isEqual }) => (isEqual ? [] : [what]));
}

test("the same text by the same account is the same, and each thing that differs is named", async () => {
  expect(await differences({})).toEqual([]);
  expect(await differences({ content: "<p>안녕!</p>" })).toEqual(["content"]);
  expect(await differences({ sender: "0x00000000000000000000000000000000000000ff" })).toEqual(["sender"]);
  expect(await differences({ postId: "7b8c3a52-0f7e-4d7c-9d0e-2f6f3f8f9a11" })).toEqual(["post"]);
});

test("another board's event, no transaction and another chain are no record", async () => {
  expect(await differences({ board: "0x00000000000000000000000000000000000000b1" })).toEqual(["nothing"]);
  receipt = null;
  expect(await compareWithChain(claim, rpcUrl)).toEqual({ kind: "nothing" });
  chainId = 1;
  expect(await compareWithChain(claim, rpcUrl)).toEqual({ kind: "wrongChain", found: 1 });
  chainId = claim.chainId;
});

test("a node that does not answer is no answer", async () => {
  await expect(compareWithChain(claim, "http://127.0.0.1:9")).rejects.toThrow();
});
