import { type Address, getAddress, isAddressEqual, parseAbiItem } from "viem";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import type { Chains } from "../chains";
import { recoverPayments } from "../jobs/upkeep";
import type { Settlers } from "../payment/settler";
import type { Store } from "../store/index";
import type { FoundTransfer, Recipient, Transfers } from "../store/transfers";
import { FINAL_BLOCKS, settleRefunds } from "./refund";

const transferEvent = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** Blocks per request. Hosted nodes refuse long ranges; a refusal halves it. */
const longestRange = 2_000n;
/** Requests per recipient and round: a prover that was off for months catches up over several rounds. */
const requestsPerRound = 200;

/** Returns who is paid on which chain in which token. Gateways keep their own list: a deposit there is not a transfer. */
function recipients(offers: readonly PaymentOffer[]): Recipient[] {
  const found = new Map<string, Recipient>();
  for (const { chainId, asset, payTo, settlement, transactions } of offers) {
    if (settlement === "gateway" && !transactions) continue;
    found.set(`${chainId} ${asset} ${payTo}`, { chainId, asset, payTo });
  }
  return [...found.values()];
}

/**
 * Copies transfers to one of our recipients into the books, from where the last round ended.
 * @throws Error if the node does not answer; the next round continues after what was copied
 */
async function copyTransfers(chains: Chains, store: Transfers, recipient: Recipient): Promise<void> {
  const client = chains.client(recipient.chainId);
  const head = await client.getBlockNumber({ cacheTime: 0 });
  const begin = await store.nextBlock(recipient, head);
  // Searched again in every round: a reorganization takes back what it removed, and a node that was behind caught up.
  let from = begin > FINAL_BLOCKS ? begin - FINAL_BLOCKS : 0n;
  let range = longestRange;
  for (let requests = 0; from <= head && requests < requestsPerRound; requests += 1) {
    const to = from + range - 1n < head ? from + range - 1n : head;
    let found: FoundTransfer[];
    try {
      found = await transfersBetween(client, recipient, from, to);
    } catch (error) {
      if (range === 1n) throw error;
      range /= 2n;
      continue;
    }
    await store.replace(recipient, { from, to }, found);
    from = to + 1n;
  }
}

async function transfersBetween(
  client: ReturnType<Chains["client"]>,
  { asset, payTo }: { asset: Address; payTo: Address },
  fromBlock: bigint,
  toBlock: bigint,
): Promise<FoundTransfer[]> {
  const logs = await client.getLogs({
    ...{ address: asset, event: transferEvent, args: { to: payTo } },
    ...{ fromBlock, toBlock, strict: true },
  });
  const found: FoundTransfer[] = [];
  for (const log of logs) {
    // A node that ignores the filter must not add other people's money to our books.
    if (!isAddressEqual(log.address, asset) || !isAddressEqual(log.args.to, payTo)) continue;
    const [receipt, block] = await Promise.all([
      client.getTransactionReceipt({ hash: log.transactionHash }),
      client.getBlock({ blockHash: log.blockHash }),
    ]);
    const position = receipt.logs.findIndex(({ logIndex }) => logIndex === log.logIndex);
    if (receipt.blockHash !== log.blockHash || position < 0)
      throw new Error("the chain was reorganized meanwhile");
    found.push({
      transaction: log.transactionHash,
      position,
      payer: getAddress(log.args.from),
      amount: log.args.value,
      block: log.blockNumber,
      at: new Date(Number(block.timestamp) * 1000),
    });
  }
  return found;
}

/** How long earlier recipients are searched: a week of valid nonces, and time for payers to notice. */
const recipientsKeptMs = 30 * 24 * 3_600_000;

export interface ReconcileDependencies {
  store: Pick<Store, "payments" | "credits" | "prices" | "transfers" | "refunds">;
  settlers: Settlers;
  chains: Chains;
  /** Milliseconds from settlement within which a proof is promised. */
  deliveryMs: number;
  /** The current prices. */
  offers: readonly PaymentOffer[];
  /** Receives failures; the next round tries again. */
  defect(error: Error): void;
}

/**
 * Runs one round of the books. Afterwards, every payment that the chain has decided is decided here, with or without its
 * client; every settled payment whose proof is late is a credit; and every transfer to one of our
 * recipients is listed with its outcome. Any process may run it at any time.
 */
export async function reconcile(deps: ReconcileDependencies, now = Date.now()): Promise<void> {
  const { store, settlers, chains, deliveryMs, offers, defect } = deps;
  const attempt = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => defect(error instanceof Error ? error : new Error("unknown")));
  };
  await store.prices.enter(offers);
  await attempt(() => recoverPayments(store.payments, settlers));
  await attempt(async () => void (await store.credits.recordLate(new Date(now - deliveryMs))));
  const known = await store.prices.since(new Date(now - recipientsKeptMs));
  for (const recipient of recipients(known)) {
    await attempt(() => copyTransfers(chains, store.transfers, recipient));
  }
  await attempt(() => settleRefunds(chains, store.refunds));
}
