import {
  type Address,
  type Client,
  type Hex,
  isAddressEqual,
  keccak256,
  parseAbi,
  parseEventLogs,
  stringToBytes,
  type TransactionReceipt,
} from "viem";
import { receiptOf } from "./receipt";

/** ABI of contracts/src/RecordBoard.sol. */
export const recordBoardAbi = parseAbi([
  "event Recorded(bytes32 indexed postIdHash, bytes32 indexed contentHash, bytes32 authorHash, bytes32 recorderHash, address indexed sender, uint256 timestamp)",
  "function record(bytes32 postIdHash, bytes32 contentHash, bytes32 authorHash, bytes32 recorderHash)",
]);

/** Returns the hash that a record stores of a text: keccak256 of its UTF-8 bytes, exactly as the API returns it. */
export function contentHashOf(content: string): Hex {
  return keccak256(stringToBytes(content));
}

/** Returns the hash that names a post in a record: keccak256 of the UTF-8 bytes of its id in lower case. */
export function postIdHashOf(postId: string): Hex {
  return keccak256(stringToBytes(postId.toLowerCase()));
}

/** A record as stored on the chain. */
export interface ChainRecord {
  readonly contentHash: Hex;
  readonly postIdHash: Hex;
  /** The account that recorded. Anyone can write to the board, so compare it with the service's account. */
  readonly sender: Address;
  readonly blockNumber: number;
  /** Unix time of the block in seconds. */
  readonly timestamp: number;
}

/**
 * Reads a record back from the chain.
 * @param postIdHash selects one of several records in the transaction; default the first
 * @returns null if the transaction is unknown or not mined yet, failed, or recorded nothing on this board
 * @throws viem's errors when the chain does not respond
 */
export async function readRecord(
  client: Client,
  { txHash, board, postIdHash }: { txHash: Hex; board: Address; postIdHash?: Hex },
): Promise<ChainRecord | null> {
  const receipt = await receiptOf(client, txHash);
  return receipt ? recordIn(receipt, { board, postIdHash }) : null;
}

/** Returns the record in a receipt; null if the transaction failed or recorded nothing on this board. */
export function recordIn(
  receipt: Pick<TransactionReceipt, "status" | "logs" | "blockNumber">,
  { board, postIdHash }: { board: Address; postIdHash?: Hex },
): ChainRecord | null {
  if (receipt.status !== "success") return null;
  const events = parseEventLogs({ abi: recordBoardAbi, eventName: "Recorded", logs: receipt.logs });
  const event = events.find(
    ({ address, args }) =>
      isAddressEqual(address, board) && (!postIdHash || args.postIdHash === postIdHash.toLowerCase()),
  );
  if (!event) return null;
  const { contentHash, postIdHash: recorded, sender, timestamp } = event.args;
  return {
    ...{ contentHash, postIdHash: recorded, sender },
    blockNumber: Number(receipt.blockNumber),
    timestamp: Number(timestamp),
  };
}
