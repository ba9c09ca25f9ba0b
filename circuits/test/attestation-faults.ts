import { secp256k1 } from "@noble/curves/secp256k1.js";
import { numberToHex } from "viem";
import { type AttestedCircuit, bytesOf } from "../soundness";
import type { Refusal } from "./attestation-run";

/** The order of the curve's group, and the modulus of its field. */
export const N = secp256k1.Point.Fn.ORDER;
export const P = secp256k1.Point.Fp.ORDER;

/** What a wrong signature is refused with. */
export const SIGNATURE = /account: signature/;
/** The user's key also makes the country circuit's signal hash, which is looked at first. */
export const USER_SIGNATURE = /account: signature|country: signal hash/;

/** Refusals with the names of their tests. */
export type Named<C extends AttestedCircuit> = readonly (readonly [string, Refusal<C>])[];

/** Bytes as the big-endian number that they are, and 32 of them back. */
export const number = (bytes: number[]) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
export const bytes32 = (value: bigint) => bytesOf(numberToHex(value, { size: 32 }));
/** 32 bytes of nothing. */
export const zeros = () => Array.from({ length: 32 }, () => 0);

/** Changes one byte of an array of bytes. */
export function flip(bytes: number[] | undefined, at = 31): void {
  if (!bytes) throw new Error("no bytes");
  bytes[at] = (bytes[at] ?? 0) ^ 1;
}
