import type { contract, ResponseBody } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";

export type RecordList = ResponseBody<typeof contract.records.list>;
export type RecordStatus = ResponseBody<typeof contract.records.status>;
export type HexText = `0x${string}`;

/** The board contract that holds the records, with its hex values typed as such. */
export interface Board {
  readonly chainId: number;
  readonly chainName: string;
  readonly address: HexText;
  readonly rpcUrl: string;
  readonly explorerUrl: string | null;
  readonly sender: HexText;
}

/** Whether a text is 0x-prefixed hex. */
export function isHexText(text: string | null): text is HexText {
  return text !== null && /^0x[0-9a-fA-F]+$/.test(text);
}

/** Returns the board of a list of records; null when there is none or its addresses are not hex. */
export function boardOf({ board }: Pick<RecordList, "board">): Board | null {
  if (!board) return null;
  const { address, sender } = board;
  return isHexText(address) && isHexText(sender) ? { ...board, address, sender } : null;
}

/** What a reader who may record a post needs for it. */
export interface RecordOffer {
  /** When the post was written. */
  readonly createdAt: string;
  /** Minutes until the post is old enough to be recorded; 0 when it is. */
  readonly minutesLeft: number;
  readonly chainName: string;
  /** Records that it has. */
  readonly known: number;
}

/** Returns the offer for a reader who may record a post; null where no chain keeps records, and once they have one. */
export function recordOffer(createdAt: string, list: RecordList): RecordOffer | null {
  const board = boardOf(list);
  if (!board || list.userRecorded) return null;
  const minutesLeft = minutesUntilRecordable(createdAt, Date.now());
  return { createdAt, minutesLeft, chainName: board.chainName, known: list.records.length };
}

/** Returns the whole minutes until a post can be recorded; 0 when it can be. @param now Unix time in milliseconds */
export function minutesUntilRecordable(createdAt: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(createdAt) - now) / 60_000) + LIMITS.record.minAgeMinutes);
}

/** Returns an amount in wei in the chain's currency, cut to two significant digits: "0.0000041". */
export function roughAmount(wei: string): string {
  const integerDigits = wei.length - 18;
  return new Intl.NumberFormat("en", {
    maximumSignificantDigits: Math.max(2, integerDigits),
    roundingMode: "trunc",
    useGrouping: false,
  }).format(Number(wei) / 1e18);
}
