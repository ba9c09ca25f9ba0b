import type { contract, ResponseBody } from "@/lib/contract";

export type RecordList = ResponseBody<typeof contract.records.list>;
export type RecordStatus = ResponseBody<typeof contract.records.status>;
export type HexText = `0x${string}`;

/** Where records stand, with its hex values as such. */
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

/** The board of a list of records; null where there is none, or its addresses cannot be read. */
export function boardOf({ board }: Pick<RecordList, "board">): Board | null {
  if (!board) return null;
  const { address, sender } = board;
  return isHexText(address) && isHexText(sender) ? { ...board, address, sender } : null;
}
