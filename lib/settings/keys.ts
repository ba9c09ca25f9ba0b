import { type Hex, isHex, toHex } from "viem";
import { mnemonicToAccount, privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import type { Form } from "./declare";

const RULE = "a private key of 32 bytes in 0x-prefixed hex";

/** A secp256k1 private key from the environment. The error never contains the value. */
export const privateKeySchema = z.custom<Hex>(
  (v) => {
    if (!isHex(v, { strict: true }) || v.length !== 66) return false;
    try {
      privateKeyToAddress(v);
      return true;
    } catch {
      return false;
    }
  },
  { error: `must be ${RULE}` },
);

export const privateKey: Form<Hex> = { schema: privateKeySchema, rule: RULE };

/** Secrets of one purpose: the first makes, and each of them is accepted. */
export type RotatingSecrets = readonly [Uint8Array, ...Uint8Array[]];

/** The mnemonic that local chains fund by default; its keys are public. */
const publicMnemonic = "test test test test test test test test test test test junk";
/** Foundry shows ten, Hardhat twenty, and our development attester uses some after those. */
const publicAccounts = 30;

/** Returns whether a key belongs to an account that local chains publish. */
export function isWellKnownKey(key: Hex): boolean {
  // Derives the common parent once: the mnemonic's key stretching takes most of the time.
  const parent = mnemonicToAccount(publicMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey();
  for (let index = 0; index < publicAccounts; index += 1) {
    const published = parent.deriveChild(index).privateKey;
    if (published && toHex(published) === key.toLowerCase()) return true;
  }
  return false;
}
