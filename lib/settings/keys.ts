import { type Address, getAddress, type Hex, isAddress, isHex, toHex } from "viem";
import { mnemonicToAccount, privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import { type Form, pattern } from "./declare";

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

export const address: Form<Address> = {
  schema: z
    .string()
    .refine((value) => isAddress(value, { strict: false }))
    .transform((value) => getAddress(value)),
  rule: "0x and 40 hex digits",
};

export const signerUrl = pattern(/^https?:\/\/[^\s@]+$/, "an http or https URL without a password");

/** An account's key at a remote signer: a KMS or a signing service behind JSON-RPC (lib/chain/remote-signer.ts). */
export interface RemoteKey {
  readonly url: string;
  readonly address: Address;
  /** Sent as a bearer token. */
  readonly token?: string;
}

/** How a service signs transactions: with a private key of its own, or at a remote signer. */
export type SigningKey = Hex | RemoteKey;

/** The settings of one account; `undefined` for what is not set. */
interface SigningSettings {
  readonly key: Hex | undefined;
  readonly url: string | undefined;
  readonly address: Address | undefined;
  readonly token: string | undefined;
}

/**
 * Chooses how a service signs for one account.
 * @param name how the variables begin: `<name>_KEY`, `<name>_SIGNER_URL` and so on
 * @returns neither key nor problems if none of the variables is set
 */
export function signingKeyOf(
  name: string,
  { key, url, address, token }: SigningSettings,
  isProduction: boolean,
): { key?: SigningKey; problems: string[] } {
  const signer = `${name}_SIGNER`;
  if (!url && !address && !token) {
    const isPublic = isProduction && key && isWellKnownKey(key);
    return {
      key,
      problems: isPublic ? [`${name}_KEY is a development key that local chains publish; use your own`] : [],
    };
  }
  const problems: string[] = [];
  if (key) problems.push(`${name}_KEY and ${signer}_URL are both set; set one of them`);
  if (!url || !address) problems.push(`${signer}_URL and ${signer}_ADDRESS come together`);
  if (url && !isPrivateLine(url) && (isProduction || token)) {
    problems.push(`${signer}_URL must be https: others could read and change what it signs on the way`);
  }
  if (problems.length > 0 || !url || !address) return { problems };
  return { key: { url, address, token }, problems };
}

/** Whether no one in between can read or change traffic to an address. */
export function isPrivateLine(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}

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
