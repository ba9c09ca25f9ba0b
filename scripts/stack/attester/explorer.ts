import { numberToHex, type PublicClient, type RpcLog } from "viem";
import { z } from "zod";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";

/** Maximum logs per response, as in real explorers (https://docs.blockscout.com/devs/apis/rpc/logs). */
const MAX_OFFSET = 1000;
const PAIRS = ["0_1", "0_2", "0_3", "1_2", "1_3", "2_3"] as const;

const block = z.union([
  z.literal("latest"),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform((number) => numberToHex(BigInt(number))),
]);
const topic = hex32Schema.optional();
const count = z
  .string()
  .regex(/^[1-9]\d{0,6}$/)
  .transform(Number);
const paramsSchema = z.object({
  fromBlock: block,
  toBlock: block,
  address: addressSchema.optional(),
  ...{ topic0: topic, topic1: topic, topic2: topic, topic3: topic },
  page: count.default(1),
  offset: count.pipe(z.number().max(MAX_OFFSET)).default(MAX_OFFSET),
});

/** Response of a block explorer's API: status "1" and a list, or "0" and the reason. */
interface ExplorerResponse {
  status: "0" | "1";
  message: string;
  result: Awaited<ReturnType<typeof present>>[] | null;
}

/**
 * Answers `module=logs&action=getLogs` as Etherscan and Blockscout do: logs in chain order, in pages of at most 1000,
 * topics padded to four as in Blockscout. Every pair of topics needs an operator; `or` is not supported.
 * @param query parameters of the request
 */
export async function answerGetLogs(
  client: PublicClient,
  query: Readonly<Record<string, string>>,
): Promise<ExplorerResponse> {
  const refused = (message: string): ExplorerResponse => ({ status: "0", message, result: null });
  if (query.module !== "logs" || query.action !== "getLogs") return refused("Unknown module or action");
  const missing = missingParameters(query);
  if (missing.length > 0) return refused(`Required query parameters missing: ${missing.join(", ")}`);
  const wrongOperator = PAIRS.find((pair) => ![undefined, "and"].includes(query[`topic${pair}_opr`]));
  if (wrongOperator) return refused(`topic${wrongOperator}_opr must be "and"`);
  const parsed = paramsSchema.safeParse(query);
  if (!parsed.success) return refused(`Invalid ${parsed.error.issues[0]?.path.join(".")} format`);

  const { fromBlock, toBlock, address, topic0, topic1, topic2, topic3, page, offset } = parsed.data;
  const found = await client.request({
    method: "eth_getLogs",
    params: [
      {
        address,
        topics: [topic0, topic1, topic2, topic3].map((each) => each ?? null),
        fromBlock,
        toBlock,
      },
    ],
  });
  const logs = found.slice((page - 1) * offset, page * offset);
  if (logs.length === 0) return { status: "0", message: "No records found", result: [] };
  return { status: "1", message: "OK", result: await Promise.all(logs.map((log) => present(client, log))) };
}

function missingParameters(query: Readonly<Record<string, string>>): string[] {
  const missing = ["fromBlock", "toBlock"].filter((name) => query[name] === undefined);
  if (["address", "topic0", "topic1", "topic2", "topic3"].every((name) => query[name] === undefined)) {
    missing.push("address and/or topic{x}");
  }
  for (const pair of PAIRS) {
    const both = pair.split("_").every((place) => query[`topic${place}`] !== undefined);
    if (both && query[`topic${pair}_opr`] === undefined) missing.push(`topic${pair}_opr`);
  }
  return missing;
}

async function present(client: PublicClient, log: RpcLog) {
  const { address, data, blockNumber, transactionHash, logIndex, transactionIndex } = log;
  if (!blockNumber || !transactionHash || !logIndex || !transactionIndex) throw new Error("a pending log");
  const [{ timestamp }, { effectiveGasPrice, gasUsed }] = await Promise.all([
    client.getBlock({ blockNumber: BigInt(blockNumber) }),
    client.getTransactionReceipt({ hash: transactionHash }),
  ]);
  const [first = null, second = null, third = null, fourth = null] = log.topics;
  return {
    ...{ address, data, blockNumber, transactionHash, logIndex, transactionIndex },
    topics: [first, second, third, fourth],
    timeStamp: numberToHex(timestamp),
    gasPrice: numberToHex(effectiveGasPrice),
    gasUsed: numberToHex(gasUsed),
  };
}
