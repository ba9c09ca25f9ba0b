import {
  type Address,
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  pad,
} from "viem";
import { z } from "zod";
import { type ChainClient, Chains, viemChain } from "../../chains";
import { tokenAbi } from "../../payment/token";

interface SimLog {
  topics: Hex[];
  data: Hex;
}
export interface SimTransaction {
  hash: Hex;
  logs: SimLog[];
}
interface SimBlock {
  number: bigint;
  hash: Hex;
  timestamp: bigint;
  transactions: SimTransaction[];
}
export interface SimTransfer {
  transaction: Hex;
  position: number;
  from: Address;
  to: Address;
  amount: bigint;
  block: bigint;
}

const transferTopic = encodeEventTopics({ abi: tokenAbi, eventName: "Transfer" })[0];
const usedTopic = encodeEventTopics({ abi: tokenAbi, eventName: "AuthorizationUsed" })[0];
const filterSchema = z.object({
  topics: z.array(z.union([z.string(), z.array(z.string()), z.null()])).default([]),
  fromBlock: z.custom<Hex>().transform((hex) => hexToBigInt(hex)),
  toBlock: z
    .custom<Hex>()
    .transform((hex) => hexToBigInt(hex))
    .optional(),
});

/** A token's Transfer log. */
export function transferLog(from: Address, to: Address, amount: bigint): SimLog {
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: "Transfer", args: { from, to } });
  return { topics: topics.filter(isTopic), data: encodeAbiParameters([{ type: "uint256" }], [amount]) };
}

/** The log of a used authorization. */
export function usedLog(authorizer: Address, nonce: Hex): SimLog {
  const args = { authorizer, nonce };
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: "AuthorizationUsed", args });
  return { topics: topics.filter(isTopic), data: "0x" };
}

const isTopic = (topic: unknown): topic is Hex => typeof topic === "string";

/**
 * A chain in memory with one EIP-3009 token, for ten thousand schedules that a real one has no time for: blocks that are
 * mined and reorganized, and the JSON-RPC that ledger and books ask. Real chains are asked in prover/cases.
 */
export class SimChain extends Chains {
  readonly blocks: SimBlock[] = [];
  readonly waiting: SimTransaction[] = [];
  #made = 0;
  readonly #client: ChainClient;

  constructor(
    deployment: Chains["deployment"],
    readonly chainId: number,
    readonly asset: Address,
    public time: bigint,
  ) {
    super(deployment);
    this.#client = createPublicClient({
      chain: viemChain(deployment, chainId),
      transport: custom({ request: async ({ method, params }) => this.#answer(method, params) }),
      cacheTime: 0,
    });
    this.mine();
  }

  override client(): ChainClient {
    return this.#client;
  }

  get head(): bigint {
    return BigInt(this.blocks.length - 1);
  }

  /** A transaction that waits for its block. */
  send(logs: SimLog[]): Hex {
    this.#made += 1;
    const hash = keccak256(numberToHex(this.#made, { size: 32 }));
    this.waiting.push({ hash, logs });
    return hash;
  }

  /** A block of what waits. What uses an authorization that was used already reverts, and is as good as gone. */
  mine(): void {
    this.time += 12n;
    const transactions: SimTransaction[] = [];
    const used = new Set(this.#uses());
    for (const transaction of this.waiting.splice(0)) {
      const nonces = transaction.logs.flatMap(({ topics }) =>
        topics[0] === usedTopic ? (topics[2] ?? []) : [],
      );
      if (nonces.some((nonce) => used.has(nonce))) continue;
      for (const nonce of nonces) used.add(nonce);
      transactions.push(transaction);
    }
    const number = BigInt(this.blocks.length);
    this.#made += 1;
    const hash = keccak256(numberToHex(this.#made, { size: 33 }));
    this.blocks.push({ number, hash, timestamp: this.time, transactions });
  }

  /** The newest block is replaced by one with the same transactions in another order. */
  reorganize(): void {
    if (this.blocks.length < 2) return;
    const gone = this.blocks.pop();
    this.waiting.unshift(...(gone?.transactions.toReversed() ?? []));
    this.time -= 12n;
    this.mine();
  }

  isUsed(nonce: Hex): boolean {
    return this.#uses().includes(nonce);
  }

  /** Transfers of the canonical chain to one of these recipients. */
  transfersTo(recipients: readonly Address[]): SimTransfer[] {
    return this.blocks.flatMap((block) =>
      block.transactions.flatMap(({ hash, logs }) =>
        logs.flatMap(({ topics, data }, position) => {
          const [topic, from = "0x", to = "0x"] = topics;
          const recipient = recipients.find((each) => pad(each).toLowerCase() === to.toLowerCase());
          if (topic !== transferTopic || !recipient) return [];
          const sender: Address = `0x${from.slice(26)}`;
          const amount = hexToBigInt(data);
          return { transaction: hash, position, from: sender, to: recipient, amount, block: block.number };
        }),
      ),
    );
  }

  #uses(): Hex[] {
    return this.blocks.flatMap(({ transactions }) =>
      transactions.flatMap(({ logs }) =>
        logs.flatMap(({ topics }) => (topics[0] === usedTopic ? (topics[2] ?? []) : [])),
      ),
    );
  }

  #answer(method: string, params: unknown): unknown {
    const [first] = z.array(z.unknown()).parse(params ?? []);
    switch (method) {
      case "eth_blockNumber":
        return numberToHex(this.head);
      case "eth_chainId":
        return numberToHex(this.chainId);
      case "eth_getBlockByNumber": {
        const number = first === "latest" ? this.head : hexToBigInt(z.custom<Hex>().parse(first));
        return this.#block(this.blocks[Number(number)]);
      }
      case "eth_getBlockByHash":
        return this.#block(this.blocks.find(({ hash }) => hash === first));
      case "eth_call": {
        const { data } = z.object({ data: z.custom<Hex>() }).parse(first);
        const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data });
        if (functionName === "authorizationState") return word(this.isUsed(args[1]) ? 1n : 0n);
        if (functionName === "balanceOf") return word(10n ** 12n);
        throw new Error(`the chain in memory knows no ${functionName}`);
      }
      case "eth_getLogs":
        return this.#logs(filterSchema.parse(first));
      case "eth_getTransactionReceipt":
        return this.#receipt(first);
      case "eth_getTransactionByHash": {
        const found = this.#find(first);
        return found && { hash: first, input: "0x", blockHash: found.block.hash, type: "0x2", value: "0x0" };
      }
      default:
        throw new Error(`the chain in memory knows no ${method}`);
    }
  }

  #find(hash: unknown): { block: SimBlock; transaction: SimTransaction } | null {
    for (const block of this.blocks) {
      const transaction = block.transactions.find((each) => each.hash === hash);
      if (transaction) return { block, transaction };
    }
    return null;
  }

  #block(block: SimBlock | undefined): unknown {
    return block
      ? { number: numberToHex(block.number), hash: block.hash, timestamp: numberToHex(block.timestamp) }
      : null;
  }

  #placed(block: SimBlock, transaction: SimTransaction): unknown[] {
    const before = block.transactions
      .slice(0, block.transactions.indexOf(transaction))
      .reduce((count, { logs }) => count + logs.length, 0);
    return transaction.logs.map(({ topics, data }, position) => ({
      ...{ address: this.asset, topics, data, transactionHash: transaction.hash },
      ...{ blockHash: block.hash, blockNumber: numberToHex(block.number) },
      ...{ logIndex: numberToHex(before + position), transactionIndex: "0x0", removed: false },
    }));
  }

  #logs({ topics, fromBlock, toBlock }: z.output<typeof filterSchema>): unknown[] {
    const fits = (log: SimLog) =>
      topics.every((wanted, i) => {
        const choices = wanted === null ? undefined : Array.isArray(wanted) ? wanted : [wanted];
        return !choices || choices.some((each) => each.toLowerCase() === log.topics[i]?.toLowerCase());
      });
    return this.blocks
      .filter(({ number }) => number >= fromBlock && (toBlock === undefined || number <= toBlock))
      .flatMap((block) =>
        block.transactions.flatMap((transaction) =>
          this.#placed(block, transaction).filter((_, position) => {
            const log = transaction.logs[position];
            return log !== undefined && fits(log);
          }),
        ),
      );
  }

  #receipt(hash: unknown): unknown {
    const found = this.#find(hash);
    if (!found) return null;
    const { block, transaction } = found;
    return {
      ...{ transactionHash: hash, status: "0x1", blockHash: block.hash, type: "0x2", from: this.asset },
      ...{ blockNumber: numberToHex(block.number), logs: this.#placed(block, transaction) },
    };
  }
}

function word(value: bigint): Hex {
  return pad(numberToHex(value));
}
