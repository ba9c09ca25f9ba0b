import { type Address, getAddress, isAddressEqual, parseAbiItem } from "viem";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import type { Chains } from "../chains";
import { recoverPayments } from "../jobs/recover";
import type { Settlers } from "../payment/settler";
import type { Store } from "../store/index";
import type { FoundTransfer, Recipient, Transfers } from "../store/transfers";
import { FINAL_BLOCKS, settleRefunds } from "./refund";

const transferEvent = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** Blocks asked for at once. Hosted nodes refuse long ranges; a refusal halves it. */
const longestRange = 2_000n;
/** Requests of one round per recipient: a prover that was off for months catches up over several rounds. */
const requestsPerRound = 200;

/** Who is paid, on which chain, in which token. Gateways keep their own list: what they hold is no transfer yet. */
function recipients(offers: readonly PaymentOffer[]): Recipient[] {
  const found = new Map<string, Recipient>();
  for (const { chainId, asset, payTo, settlement, transactions } of offers) {
    if (settlement === "gateway" && !transactions) continue;
    found.set(`${chainId} ${asset} ${payTo}`, { chainId, asset, payTo });
  }
  return [...found.values()];
}

/**
 * Copies the token's transfers to a recipient of ours, from where the last round ended, into the books.
 * @throws Error when the node does not answer; what was copied stays, and the next round goes on from there
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
    // A node that ignores the filter must not put somebody else's money into our books.
    if (!isAddressEqual(log.address, asset) || !isAddressEqual(log.args.to, payTo)) continue;
    const [receipt, block] = await Promise.all([
      client.getTransactionReceipt({ hash: log.transactionHash }),
      client.getBlock({ blockHash: log.blockHash }),
    ]);
    const position = receipt.logs.findIndex(({ logIndex }) => logIndex === log.logIndex);
    if (receipt.blockHash !== log.blockHash || position < 0)
      throw new Error("the chain was reorganised meanwhile");
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

/** A paid request whose client has not come back for its proof by then is owed its money. */
export const forgottenAfterMs = 3_600_000;
/** Recipients we had before are searched for as long: a week of nonces, and the patience of a payer. */
const recipientsKeptMs = 30 * 24 * 3_600_000;

export interface ReconcileDependencies {
  store: Pick<Store, "payments" | "credits" | "prices" | "transfers" | "refunds">;
  settlers: Settlers;
  chains: Chains;
  /** What is asked now. */
  offers: readonly PaymentOffer[];
  /** Told of what could not be asked; the next round asks again. */
  defect(error: Error): void;
}

/**
 * One round of the books. Afterwards every payment that the chain has decided is decided here, whoever asked for it and
 * whether or not he is still there; every settled payment that nobody works on is a credit after an hour; and every
 * transfer to a recipient of ours is listed, with what became of it. Any process may do it at any time.
 */
export async function reconcile(deps: ReconcileDependencies, now = Date.now()): Promise<void> {
  const { store, settlers, chains, offers, defect } = deps;
  const patiently = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => defect(error instanceof Error ? error : new Error("unknown")));
  };
  await store.prices.enter(offers);
  await patiently(() => recoverPayments(store.payments, settlers));
  await patiently(async () => void (await store.credits.recordForgotten(new Date(now - forgottenAfterMs))));
  const known = await store.prices.since(new Date(now - recipientsKeptMs));
  for (const recipient of recipients(known)) {
    await patiently(() => copyTransfers(chains, store.transfers, recipient));
  }
  await patiently(() => settleRefunds(chains, store.refunds));
}
