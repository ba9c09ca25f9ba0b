import { createClient, type Hex, http, isAddressEqual } from "viem";
import { getChainId } from "viem/actions";
import { contentHashOf, postIdHashOf, readRecord } from "@/lib/proofs/records";

/** What is compared with the chain: nothing of it is an answer about the record. */
export interface Claim {
  readonly postId: string;
  /** The text, exactly as it was returned. */
  readonly content: string;
  readonly txHash: Hex;
  readonly chainId: number;
  /** Board and account this installation names as its own. */
  readonly board: Hex;
  readonly sender: Hex;
}

type ComparedFact = "board" | "sender" | "post" | "content";

export interface Comparison {
  readonly what: ComparedFact;
  readonly here: string;
  readonly chain: string;
  readonly isEqual: boolean;
}

export type CheckResult =
  | {
      readonly kind: "compared";
      readonly comparisons: readonly Comparison[];
      /** Unix time in seconds, as the block has it. */
      readonly timestamp: number;
      readonly blockNumber: number;
    }
  /** No such transaction, or none that recorded this post on the board. */
  | { readonly kind: "nothing" }
  | { readonly kind: "wrongChain"; readonly found: number };

/** Milliseconds a node may take. */
const TIMEOUT_MS = 15_000;

/**
 * Makes the hashes from the text and reads the record from a chain's node.
 * @throws when the node does not answer
 */
export async function compareWithChain(claim: Claim, rpcUrl: string): Promise<CheckResult> {
  const client = createClient({ transport: http(rpcUrl, { retryCount: 0, timeout: TIMEOUT_MS }) });
  const found = await getChainId(client);
  if (found !== claim.chainId) return { kind: "wrongChain", found };
  const { txHash, board } = claim;
  const postIdHash = postIdHashOf(claim.postId);
  // Of this post where the transaction has several; else whatever it recorded, to show what differs.
  const record =
    (await readRecord(client, { txHash, board, postIdHash })) ??
    (await readRecord(client, { txHash, board }));
  if (!record) return { kind: "nothing" };
  const same = (here: string, chain: string) => here.toLowerCase() === chain.toLowerCase();
  const contentHash = contentHashOf(claim.content);
  return {
    kind: "compared",
    timestamp: record.timestamp,
    blockNumber: record.blockNumber,
    comparisons: [
      // readRecord reads the events of this contract only.
      { what: "board", here: board, chain: board, isEqual: true },
      {
        what: "sender",
        here: claim.sender,
        chain: record.sender,
        isEqual: isAddressEqual(claim.sender, record.sender),
      },
      {
        what: "post",
        here: postIdHash,
        chain: record.postIdHash,
        isEqual: same(postIdHash, record.postIdHash),
      },
      {
        what: "content",
        here: contentHash,
        chain: record.contentHash,
        isEqual: same(contentHash, record.contentHash),
      },
    ],
  };
}
