import { createClient, type Hex, http } from "viem";
import { getChainId } from "viem/actions";
import { contentHashOf, postIdHashOf, readRecord } from "@/lib/proofs/records";

/** What the page claims about a record, to be compared with the chain. */
export interface Claim {
  readonly postId: string;
  /** The text, exactly as the API returned it. */
  readonly content: string;
  readonly txHash: Hex;
  readonly chainId: number;
  /** Board and account of this installation, by its own word. */
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
      /** Unix time of the block in seconds. */
      readonly timestamp: number;
      readonly blockNumber: number;
    }
  /** There is no such transaction, or it recorded nothing on the board. */
  | { readonly kind: "nothing" }
  | { readonly kind: "wrongChain"; readonly found: number };

const NODE_TIMEOUT_MS = 15_000;

/** Compares the hashes of the text with the record on the chain. @throws when the node does not answer */
export async function compareWithChain(claim: Claim, rpcUrl: string): Promise<CheckResult> {
  const client = createClient({ transport: http(rpcUrl, { retryCount: 0, timeout: NODE_TIMEOUT_MS }) });
  const found = await getChainId(client);
  if (found !== claim.chainId) return { kind: "wrongChain", found };
  const { txHash, board } = claim;
  const postIdHash = postIdHashOf(claim.postId);
  // A transaction can record several posts; without one of this post, any record shows what differs.
  const record =
    (await readRecord(client, { txHash, board, postIdHash })) ??
    (await readRecord(client, { txHash, board }));
  if (!record) return { kind: "nothing" };
  const compare = (what: ComparedFact, here: Hex, chain: Hex): Comparison => ({
    ...{ what, here, chain },
    isEqual: here.toLowerCase() === chain.toLowerCase(),
  });
  return {
    kind: "compared",
    timestamp: record.timestamp,
    blockNumber: record.blockNumber,
    comparisons: [
      // readRecord reads only this contract's events.
      compare("board", board, board),
      compare("sender", claim.sender, record.sender),
      compare("post", postIdHash, record.postIdHash),
      compare("content", contentHashOf(claim.content), record.contentHash),
    ],
  };
}
