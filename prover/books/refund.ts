import { encodeFunctionData, erc20Abi, getAddress, type Hex, isAddressEqual, parseEventLogs } from "viem";
import { ChainSender, type SenderOptions } from "@/lib/chain/sender";
import { receiptOf } from "@/lib/proofs/receipt";
import type { ChainClient, Chains } from "../chains";
import type { OpenRefund, RefundRow, Refunds } from "../store/refunds";
import { NothingOwedError } from "../store/transfers";

/** Blocks after which the books no longer expect a reorganization. */
export const FINAL_BLOCKS = 64n;

/**
 * Refunds a credit or an unmatched transfer from an account that holds the token. The transaction is in the journal
 * before it is sent. Repeating the command sends the same transaction again, with a higher fee if it needs one.
 * @throws NothingOwedError; ChainUnavailableError when the node does not answer, or says that the transfer would fail
 */
export async function refundFrom(
  key: Hex,
  id: string,
  chains: Chains,
  refunds: Refunds,
  sending: SenderOptions = {},
): Promise<RefundRow> {
  const senderOn = (chainId: number) =>
    new ChainSender(refunds.journal, chains.client(chainId), key, sending);
  const known = await refunds.find(id);
  if (known) {
    await senderOn(Number(known.chain_id)).sweep();
    return known;
  }
  const { chainId, asset, payee, amount } = await refunds.owed(id);
  const sender = senderOn(chainId);
  const args = [getAddress(payee), BigInt(amount)] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
  const call = { to: getAddress(asset), data };
  const prepared = await sender.prepare(await sender.quote(call));
  const { row, transactionId } = await refunds.begin(id, (trx) => sender.append(trx, call, prepared));
  await sender.broadcast(transactionId);
  return row;
}

/**
 * Records a refund that the operator made without us, after checking it on chain.
 * @throws NothingOwedError also when that transaction does not pay the payer the amount
 */
export async function recordRefund(
  hash: Hex,
  id: string,
  chains: Chains,
  refunds: Refunds,
): Promise<RefundRow> {
  const { chainId, asset, payee, amount } = await refunds.owed(id);
  const receipt = await chains.client(chainId).getTransactionReceipt({ hash });
  const logs = receipt.logs.filter(({ address }) => isAddressEqual(address, getAddress(asset)));
  const pays = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs }).some(
    ({ args }) => isAddressEqual(args.to, getAddress(payee)) && args.value >= BigInt(amount),
  );
  if (receipt.status !== "success" || !pays) {
    throw new NothingOwedError(`transaction ${hash} does not pay ${amount} to ${payee}`);
  }
  return await refunds.record(id, hash);
}

/**
 * Sends open refunds again that the node lost, and stores the outcome of those that are final. A refund whose
 * transaction failed becomes owed again only then: earlier, a reorganization could still mine it, beside a second one.
 * @throws Error when a node does not answer
 */
export async function settleRefunds(
  chains: Chains,
  refunds: Refunds,
  sending: SenderOptions = {},
): Promise<void> {
  const open = await refunds.open();
  const wallets = new Map(open.map((refund) => [`${refund.chainId} ${refund.wallet}`, refund]));
  for (const { chainId, wallet } of wallets.values()) {
    await new ChainSender(refunds.journal, chains.client(chainId), { address: wallet }, sending).sweep();
  }
  for (const refund of await refunds.open()) {
    const client = chains.client(refund.chainId);
    if (!(await isFinal(client, refund))) continue;
    const receipt = await minedOf(client, refund.hashes);
    if (receipt?.status === "success") await refunds.confirm(refund, receipt.transactionHash);
    else if (receipt || refund.state === "lost") await refunds.fail(refund);
  }
}

/** Whether the refund's nonce is used, and in a block that no longer changes. */
async function isFinal(client: ChainClient, { wallet, nonce }: OpenRefund): Promise<boolean> {
  const head = await client.getBlockNumber({ cacheTime: 0 });
  if (head < FINAL_BLOCKS) return false;
  const blockNumber = head - FINAL_BLOCKS;
  return (await client.getTransactionCount({ address: wallet, blockNumber })) > nonce;
}

async function minedOf(client: ChainClient, hashes: readonly Hex[]) {
  for (const hash of hashes) {
    const receipt = await receiptOf(client, hash);
    if (receipt) return receipt;
  }
  return undefined;
}
