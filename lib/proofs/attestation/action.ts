import type { Address, Hex } from "viem";
import { z } from "zod";
import { addressSchema, hex32Schema } from "../hex";

/** EIP-712 typed data a wallet authorises; integers of the message are decimal strings (JSON-safe). */
export type Action = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address; salt?: Hex };
  /** Struct types without EIP712Domain, which always is the domain's own fields in EIP-712 order. */
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

/** Reads, checks and normalises an action: every value fits its type, nothing is left out or unsigned. */
export const actionSchema: z.ZodType<Action, unknown> = z.object({
  domain: z.strictObject({
    name: z.string().min(1),
    version: z.string().min(1),
    chainId: z.int().positive(),
    verifyingContract: addressSchema,
    salt: hex32Schema.optional(),
  }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
});

export type ActionHashes = {
  /** EIP-712 domain hash. */
  domainSeparator: Hex;
  /** hashStruct(primaryType, message). */
  actionHash: Hex;
  /** keccak256(0x1901 ‖ domainSeparator ‖ actionHash): what the wallet signs. */
  digest: Hex;
};

/** Hashes of an action (EIP-712). */
export function hashesOf(_action: Action): ActionHashes {
  throw new Error("not built yet");
}

/** One line of an action as people read it. */
export type ActionLine = {
  /** Full path, e.g. `domain.chainId` or `message.order.items[0].price`; unique. */
  path: string;
  /** Last part of the path, e.g. `price` or `[0]`. */
  label: string;
  /** EIP-712 type, e.g. `uint256`, `Order`, `Item[]`. */
  type: string;
  /** The whole value; for a struct empty, for an array the number of its entries. Never shortened. */
  value: string;
  /** Nesting, 0 for the domain's and message's own lines. */
  depth: number;
};

/** Everything the wallet is about to sign, in signing order: domain, primary type, then every value of the message. */
export function describeAction(_action: Action): ActionLine[] {
  throw new Error("not built yet");
}
