import { signedDigests } from "@/lib/proofs/registry";
import { KeysError } from "./errors";
import type { PublicInputLayout } from "./types";

/**
 * Returns what a circuit's VerifierFront holds besides its verifier, in the order of its constructor: number of public
 * inputs, byte words below 256, those above, and the number of the signed digest's kind.
 * @throws KeysError as byteWordsMask
 */
export function frontValues(layout: PublicInputLayout): readonly [bigint, bigint, bigint, number] {
  const { count, signedDigest = "none" } = layout;
  const mask = byteWordsMask(layout);
  return [BigInt(count), BigInt.asUintN(256, mask), mask >> 256n, signedDigests.indexOf(signedDigest)];
}

/**
 * Returns the layout's byte words as a mask, bit i for input i. VerifierFront takes the low and high 256 bits separately.
 * @throws KeysError if a run is outside the inputs, or there are more than 512 inputs
 */
export function byteWordsMask({ count, byteWords }: PublicInputLayout): bigint {
  if (!Number.isInteger(count) || count < 0 || count > 512)
    throw new KeysError("a layout has at most 512 words");
  let mask = 0n;
  for (const run of byteWords) {
    if (run.from < 0 || run.count < 0 || run.from + run.count > count) {
      throw new KeysError("a run of byte words lies outside the public inputs");
    }
    mask |= ((1n << BigInt(run.count)) - 1n) << BigInt(run.from);
  }
  return mask;
}
