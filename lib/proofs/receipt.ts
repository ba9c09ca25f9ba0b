import { type Client, type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
import { getTransactionReceipt } from "viem/actions";

/** Returns a transaction's receipt; undefined if it is not mined. @throws viem's errors if the node does not respond */
export async function receiptOf(client: Client, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await getTransactionReceipt(client, { hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}
