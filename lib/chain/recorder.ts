import { createHmac, hkdfSync } from "node:crypto";
import type { Kysely } from "kysely";
import { type Address, createPublicClient, defineChain, encodeFunctionData, type Hex } from "viem";
import { type Chain, chainOf, type Deployment } from "@/lib/proofs/deployment";
import { recordBoardAbi } from "@/lib/proofs/records";
import { rpcTransport, type TraceRpc } from "@/lib/proofs/rpc";
import type { SigningKey } from "@/lib/settings/keys";
import { type Call, Journal } from "./journal";
import { ChainSender, type SenderOptions } from "./sender";
import type { ChainTables } from "./tables";

/** Records posts on chain with the service's wallet. */
export interface Recorder {
  readonly chain: Chain;
  /** The contract. */
  readonly board: Address;
  readonly sender: ChainSender;
  /** How long a request waits for its record to be confirmed, and how often it checks. */
  readonly waitMs: number;
  readonly pollMs: number;
  /** Returns a keyed hash of a person that differs for every post, so that records cannot be linked to anyone. */
  personHash(role: "author" | "recorder", postId: string, userId: string): Hex;
}

export interface RecorderOptions extends SenderOptions {
  readonly waitMs?: number;
  readonly pollMs?: number;
}

interface RecorderParts {
  readonly db: Kysely<ChainTables>;
  readonly deployment: Pick<Deployment, "chains" | "recordBoard">;
  readonly config: { readonly recordKey: SigningKey | undefined; readonly userIdSecret: Uint8Array };
  readonly options?: RecorderOptions;
  readonly traceOf?: (chainId: number) => TraceRpc;
}

/** How long a quote is reused: all records cost the same. */
const quoteMs = 5_000;

/**
 * Opens an installation's recorder; null if it has no record board or no key for one.
 * @throws Error if the deployment has no chain with the record board's id
 */
export function openRecorder({
  db,
  deployment,
  config,
  options = {},
  traceOf,
}: RecorderParts): Recorder | null {
  const { recordBoard } = deployment;
  if (!recordBoard || !config.recordKey) return null;
  const chain = chainOf(deployment, recordBoard.chainId);
  const { waitMs = 30_000, pollMs = 500, ...sending } = options;
  const client = createPublicClient({
    chain: defineChain({
      ...{ id: chain.id, name: chain.name, rpcUrls: { default: { http: [chain.rpcUrl] } } },
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    }),
    transport: rpcTransport(chain, { timeout: 5_000, retryCount: 1, trace: traceOf?.(chain.id) }),
  });
  const key = Buffer.from(hkdfSync("sha256", config.userIdSecret, "", "parley record hashes", 32));
  return {
    chain,
    board: recordBoard.address,
    sender: new ChainSender(new Journal(db), client, config.recordKey, { quoteMs, ...sending }),
    waitMs,
    pollMs,
    personHash(role, postId, userId) {
      const mac = createHmac("sha256", key).update([role, postId.toLowerCase(), userId].join("\0"));
      return `0x${mac.digest("hex")}`;
    },
  };
}

/** Encodes the call that records. */
export function recordCall(
  board: Address,
  words: Readonly<Record<"postIdHash" | "contentHash" | "authorHash" | "recorderHash", Hex>>,
): Call {
  const { postIdHash, contentHash, authorHash, recorderHash } = words;
  const data = encodeFunctionData({
    abi: recordBoardAbi,
    functionName: "record",
    args: [postIdHash, contentHash, authorHash, recorderHash],
  });
  return { to: board, data };
}
