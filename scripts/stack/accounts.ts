import { bytesToHex, type Hex } from "viem";
import { type HDAccount, mnemonicToAccount } from "viem/accounts";
import { ANVIL_MNEMONIC } from "@/contracts/anvil";

/**
 * Roles of the development accounts. Their keys derive from a mnemonic that the whole world knows: they
 * are worth something on the local chains only, and production mode refuses every one of them.
 */
export const ROLES = {
  deployer: 0,
  facilitator: 1,
  payee: 2,
  recorder: 3,
  /** Pays for the demo members' proofs. */
  demo: 4,
  /** Pays in `npm run journey`. */
  journey: 5,
  /** The wallet the browser offers in development. */
  browser: 6,
} as const;
export type Role = keyof typeof ROLES;

/** The account of a role. */
export function developmentAccount(role: Role): HDAccount {
  return mnemonicToAccount(ANVIL_MNEMONIC, { addressIndex: ROLES[role] });
}

/** The private key of a role, for the environment of a child. */
export function developmentKey(role: Role): Hex {
  return keyOf(developmentAccount(role));
}

function keyOf(account: HDAccount): Hex {
  const key = account.getHdKey().privateKey;
  if (!key) throw new Error("a mnemonic account always has its private key");
  return bytesToHex(key);
}
