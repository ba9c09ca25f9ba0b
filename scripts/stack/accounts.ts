import { type Address, bytesToHex, type Hex, isAddressEqual } from "viem";
import type { HDAccount } from "viem/accounts";
import { account } from "@/contracts/local-chain";

/**
 * Roles of the development accounts. Their keys derive from a public mnemonic, so they are worth something on the local
 * chains only, and production mode refuses all of them.
 */
const ROLES = {
  deployer: 0,
  facilitator: 1,
  payee: 2,
  recorder: 3,
  /** Pays for the demo members' proofs. */
  demo: 4,
  /** Pays in `npm run journey`. */
  journey: 5,
  /** The wallet that the browser offers in development. */
  browser: 6,
  /** Sign attestations on chain 8453, in the order of attesters.development.json. */
  attester0: 20,
  attester1: 21,
  attester2: 22,
  attester3: 23,
  /** Signs attestations on chain 91342. */
  attesterGiwa: 24,
  /** Determines the attester contract's address, as the first contract it deploys on both chains; sends nothing else. */
  attesterDeployer: 25,
} as const;
export type Role = keyof typeof ROLES;

/** Returns the account of a role. */
export function developmentAccount(role: Role): HDAccount {
  return account(ROLES[role]);
}

/** Returns the account with this address. @throws Error when no role has it */
export function developmentAccountAt(address: Address): HDAccount {
  for (const addressIndex of Object.values(ROLES)) {
    const found = account(addressIndex);
    if (isAddressEqual(found.address, address)) return found;
  }
  throw new Error(`${address} is not a development account`);
}

/** Returns the private key of a role, for the environment of a child process. */
export function developmentKey(role: Role): Hex {
  const key = developmentAccount(role).getHdKey().privateKey;
  if (!key) throw new Error("a mnemonic account always has its private key");
  return bytesToHex(key);
}
