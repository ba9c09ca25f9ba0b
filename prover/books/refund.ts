import {
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  isAddressEqual,
  keccak256,
  parseEventLogs,
  parseTransaction,
  publicActions,
  recoverTransactionAddress,
  TransactionReceiptNotFoundError,
  type TransactionSerializedEIP1559,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hexSchema } from "@/lib/proofs/hex";
import { type Chains, viemChain } from "../chains";
import { NothingOwedError, type Owed } from "../store/owed";
import type { Payback, RefundRow, Refunds } from "../store/refunds";

/**
 * Pays back from an account that holds the token. Repeating it sends the same transaction again.
 * @throws NothingOwedError; Error when the node does not answer, or says that the transfer would fail
 */
export async function refundFrom(key: Hex, id: string, chains: Chains, refunds: Refunds): Promise<RefundRow> {
  const row = (await refunds.find(id)) ?? (await refunds.begin(id, (owed) => sign(key, owed, chains)));
  if (row.raw !== null && row.confirmed_at === null) {
    await chains
      .client(Number(row.chain_id))
      .sendRawTransaction({ serializedTransaction: hexSchema.parse(row.raw) })
      // "Already known" or "nonce too low" say nothing certain: its receipt does.
      .catch(() => undefined);
  }
  return row;
}

/**
 * Writes down a payback that the operator made without us, after looking at it on chain.
 * @throws NothingOwedError also when that transaction does not pay the payer the amount
 */
export async function recordRefund(
  hash: Hex,
  id: string,
  chains: Chains,
  refunds: Refunds,
): Promise<RefundRow> {
  return await refunds.begin(id, async (owed): Promise<Payback> => {
    const receipt = await chains.client(owed.chainId).getTransactionReceipt({ hash });
    const logs = receipt.logs.filter(({ address }) => isAddressEqual(address, getAddress(owed.asset)));
    const pays = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs }).some(
      ({ args }) => isAddressEqual(args.to, getAddress(owed.payee)) && args.value >= BigInt(owed.amount),
    );
    if (receipt.status !== "success" || !pays) {
      throw new NothingOwedError(`transaction ${hash} does not pay ${owed.amount} to ${owed.payee}`);
    }
    return { hash, raw: null };
  });
}

/** Learns what became of paybacks that are under way. @throws Error when a node does not answer */
export async function settleRefunds(chains: Chains, refunds: Refunds): Promise<void> {
  for (const row of await refunds.open()) {
    const receipt = await chains
      .client(Number(row.chain_id))
      .getTransactionReceipt({ hash: hexSchema.parse(row.tx_hash) })
      .catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined;
        throw error;
      });
    if (receipt?.status === "success") await refunds.confirm(row.id);
    if (receipt?.status === "reverted") await refunds.fail(row);
    if (!receipt && row.raw !== null) await endReplaced(row, hexSchema.parse(row.raw), chains, refunds);
  }
}

/** Another transaction of the account took the payback's number: it can no longer be mined. */
async function endReplaced(row: RefundRow, raw: Hex, chains: Chains, refunds: Refunds): Promise<void> {
  const client = chains.client(Number(row.chain_id));
  const { nonce = 0 } = parseTransaction(raw);
  const address = await recoverTransactionAddress({ serializedTransaction: eip1559(raw) });
  if ((await client.getTransactionCount({ address, blockTag: "latest" })) <= nonce) return;
  // Mined between the two questions, perhaps.
  const mined = await client.getTransaction({ hash: hexSchema.parse(row.tx_hash) }).catch(() => undefined);
  if (!mined) await refunds.fail(row);
}

function eip1559(raw: Hex): TransactionSerializedEIP1559 {
  return `0x02${raw.slice(4)}`;
}

async function sign(key: Hex, owed: Owed, chains: Chains): Promise<Payback> {
  const account = privateKeyToAccount(key);
  const chain = viemChain(chains.deployment, owed.chainId);
  const wallet = createWalletClient({
    account,
    chain,
    transport: http(chain.rpcUrls.default.http[0], { timeout: 10_000 }),
  }).extend(publicActions);
  const to = getAddress(owed.asset);
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "transfer",
    args: [getAddress(owed.payee), BigInt(owed.amount)],
  });
  const request = await wallet.prepareTransactionRequest({ to, data, type: "eip1559" });
  const raw = await wallet.signTransaction(request);
  return { raw, hash: keccak256(raw) };
}
