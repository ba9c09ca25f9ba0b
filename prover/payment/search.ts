import { BaseError, encodeEventTopics, type Hex, HttpRequestError, numberToHex, RpcError } from "viem";
import type { ChainClient } from "../chains";
import type { Authorized } from "./payment";
import { tokenAbi } from "./token-abi";

/** What used an authorization up. */
export interface Use {
  cancelled: boolean;
  transaction: Hex;
}

/** Blocks whose logs are asked for at once: hosted nodes refuse long ranges. */
export const blocksPerCall = 2_000n;

/**
 * Finds the log that used an authorization up, or cancelled it, between two blocks (both included). The range is asked
 * for in pages of `size` blocks, halved until the node takes them.
 * @throws viem's errors when the node does not answer, or refuses even a single block
 */
export async function findUse(
  client: ChainClient,
  { asset, payer, nonce }: Authorized,
  { from, to, size }: { from: bigint; to: bigint; size: bigint },
): Promise<Use | undefined> {
  const args = { authorizer: payer, nonce };
  const [used = null, ...indexed] = encodeEventTopics({
    abi: tokenAbi,
    eventName: "AuthorizationUsed",
    args,
  });
  const [cancelled = null] = encodeEventTopics({ abi: tokenAbi, eventName: "AuthorizationCanceled", args });
  const either = [used, cancelled].flatMap((topic) => (typeof topic === "string" ? topic : []));
  let page = size;
  for (let start = from; start <= to; ) {
    const last = start + page - 1n < to ? start + page - 1n : to;
    try {
      const logs = await client.request({
        method: "eth_getLogs",
        params: [
          {
            address: asset,
            topics: [either, ...indexed],
            fromBlock: numberToHex(start),
            toBlock: numberToHex(last),
          },
        ],
      });
      const log = logs.find(({ transactionHash }) => transactionHash !== null);
      if (log?.transactionHash) {
        return { cancelled: log.topics[0] === cancelled, transaction: log.transactionHash };
      }
      start = last + 1n;
    } catch (error) {
      const asked = last - start + 1n;
      if (asked === 1n || !isRefusal(error)) throw error;
      page = asked / 2n;
    }
  }
  return undefined;
}

/**
 * The first block at or after a moment, by halving.
 * @param timestamp seconds
 * @param low a block to begin with, should it be later than the moment
 * @param high a block at or after the moment
 */
export async function blockFrom(
  client: ChainClient,
  timestamp: bigint,
  low: bigint,
  high: bigint,
): Promise<bigint> {
  let [first, last] = [low, high];
  while (first < last) {
    const middle = (first + last) / 2n;
    const block = await client.getBlock({ blockNumber: middle });
    if (block.timestamp >= timestamp) last = middle;
    else first = middle + 1n;
  }
  return first;
}

/** Whether a node answered and said no, in distinction from one that did not answer. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const cause = error.walk((each) => each instanceof RpcError || each instanceof HttpRequestError);
  if (cause instanceof HttpRequestError) return cause.status !== undefined && cause.status < 500;
  return cause instanceof RpcError;
}
