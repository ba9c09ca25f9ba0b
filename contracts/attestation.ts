import {
  type Address,
  concat,
  createPublicClient,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  pad,
  parseEther,
  stringToHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import { DevelopmentAttester } from "./artifacts/DevelopmentAttester";
import { DevelopmentRegistry } from "./artifacts/DevelopmentRegistry";

/**
 * The development attesters: what has to stand on a local chain before wallets can be attested there, and the
 * calls that attest. Where things stand and who may sign is said in one place, attesters.development.json.
 */

/** Local chains on which wallets are attested. */
export const ATTESTATION_CHAINS = [8453, 91342] as const;
export type AttestationChainId = (typeof ATTESTATION_CHAINS)[number];

/** Ether each signer is given when it has less than one. */
const SIGNER_FUNDS = parseEther("100");
const MAX_SIGNERS = 4;

/** What stands on one chain. */
export interface AttestationSite {
  registry: Address;
  contract: Address;
  /** In the order of the tree. */
  signers: readonly Address[];
  accountSchema: Hex;
  /** Null where no countries are attested. */
  countrySchema: Hex | null;
}

/** The development attester of a local chain, as the circuits have it compiled in. */
export function attestationSite(chainId: AttestationChainId): AttestationSite {
  const { network_eligibility, partner_country_attestation, regional_attestation } =
    attestersOf("development");
  const account = chainId === 8453 ? network_eligibility : regional_attestation;
  return {
    registry: account.registry,
    contract: account.contract,
    signers: account.signers,
    accountSchema: account.schema,
    countrySchema: chainId === 8453 ? partner_country_attestation.schema : null,
  };
}

/**
 * Puts the development registry and attester on a local chain and gives the signers gas. Does nothing where all
 * is in place, so that attestations outlive a restart.
 *
 * The codes are set, not deployed: a newer build then lands on the same address, which the circuits have compiled
 * in. Deployed on a fresh chain as account 25's first transaction the attester gets that address too.
 * @param rpcUrl an anvil's
 */
export async function installAttestation(rpcUrl: string, chainId: AttestationChainId): Promise<void> {
  const site = attestationSite(chainId);
  const transport = http(rpcUrl);
  const reader = createPublicClient({ transport });
  const control = createTestClient({ mode: "anvil", transport });
  const codes: readonly [Address, Hex][] = [
    [site.registry, DevelopmentRegistry.bytecode],
    [site.contract, attesterCreation(site)],
  ];
  for (const [address, creation] of codes) {
    // A call without a receiver runs the constructor and returns the code it would leave on chain.
    const { data: bytecode } = await reader.call({ data: creation });
    if (!bytecode) throw new Error(`the constructor for ${address} returned no code`);
    if ((await reader.getCode({ address })) !== bytecode) await control.setCode({ address, bytecode });
  }
  for (const address of site.signers) {
    if ((await reader.getBalance({ address })) < parseEther("1")) {
      await control.setBalance({ address, value: SIGNER_FUNDS });
    }
  }
}

/** Creation bytecode of the attester, with its arguments. */
export function attesterCreation({ signers, accountSchema, countrySchema }: AttestationSite): Hex {
  if (signers.length > MAX_SIGNERS)
    throw new RangeError(`the attester has ${MAX_SIGNERS} places for signers`);
  const [a = zeroAddress, b = zeroAddress, c = zeroAddress, d = zeroAddress] = signers;
  return encodeDeployData({
    ...DevelopmentAttester,
    args: [[a, b, c, d], accountSchema, countrySchema ?? zeroHash],
  });
}

/** Calldata that attests an account: selector 0x56feed5e, twelve zero bytes, the recipient. */
export function attestAccountCall(recipient: Address): Hex {
  return encodeFunctionData({ ...DevelopmentAttester, functionName: "attestAccount", args: [recipient] });
}

/**
 * Calldata that attests a country: selector 0x0a225248, ten zero bytes, two letters, the recipient.
 * @param country ISO 3166-1 alpha-2, upper case
 */
export function attestCountryCall(recipient: Address, country: string): Hex {
  if (!/^[A-Z]{2}$/.test(country)) throw new RangeError("a country is two letters A to Z");
  const word = pad(concat([stringToHex(country), recipient]), { size: 32 });
  return encodeFunctionData({
    ...DevelopmentAttester,
    functionName: "attestCountry",
    args: [BigInt(word)],
  });
}

/** Calldata that revokes an attestation made by the attester. */
export function revokeCall(schema: Hex, uid: Hex): Hex {
  return encodeFunctionData({
    ...DevelopmentAttester,
    functionName: "revoke",
    args: [{ schema, data: { uid, value: 0n } }],
  });
}
