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
import { deployedCode } from "./local-chain";

/**
 * The development attesters: their contracts on local chains, and the calls that attest. Addresses and signers are in
 * attesters.development.json.
 */

/** Local chains on which wallets are attested. */
export const ATTESTATION_CHAINS = [8453, 91342] as const;
export type AttestationChainId = (typeof ATTESTATION_CHAINS)[number];

/** Balance given to a signer with less than one ether. */
const SIGNER_FUNDS = parseEther("100");
const MAX_SIGNERS = 4;

/** The contracts and signers on one chain. */
export interface AttestationSite {
  registry: Address;
  contract: Address;
  /** In the order of the tree. */
  signers: readonly Address[];
  accountSchema: Hex;
  /** Null on chains without country attestations. */
  countrySchema: Hex | null;
}

/** Returns the development attester of a local chain, as compiled into the circuits. */
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
 * Installs the development registry and attester on a local chain and funds the signers. Changes nothing if all is in
 * place, so that attestations survive a restart.
 *
 * It sets the code rather than deploying it, so that a newer build gets the same address, which is compiled into the
 * circuits. A deployment as the first transaction of account 25 gives the attester that address too.
 * @param rpcUrl of an anvil
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
    const bytecode = await deployedCode(reader, creation);
    if ((await reader.getCode({ address })) !== bytecode) await control.setCode({ address, bytecode });
  }
  for (const address of site.signers) {
    if ((await reader.getBalance({ address })) < parseEther("1")) {
      await control.setBalance({ address, value: SIGNER_FUNDS });
    }
  }
}

/** Returns the creation bytecode of the attester, with its arguments. */
export function attesterCreation({ signers, accountSchema, countrySchema }: AttestationSite): Hex {
  if (signers.length > MAX_SIGNERS) throw new RangeError(`the attester has room for ${MAX_SIGNERS} signers`);
  const [a = zeroAddress, b = zeroAddress, c = zeroAddress, d = zeroAddress] = signers;
  return encodeDeployData({
    ...DevelopmentAttester,
    args: [[a, b, c, d], accountSchema, countrySchema ?? zeroHash],
  });
}

/** Returns calldata that attests an account: selector 0x56feed5e, twelve zero bytes, the recipient. */
export function attestAccountCall(recipient: Address): Hex {
  return encodeFunctionData({ ...DevelopmentAttester, functionName: "attestAccount", args: [recipient] });
}

/**
 * Returns calldata that attests a country: selector 0x0a225248, ten zero bytes, two letters, the recipient.
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

/** Returns calldata that revokes an attestation by the attester. */
export function revokeCall(schema: Hex, uid: Hex): Hex {
  return encodeFunctionData({
    ...DevelopmentAttester,
    functionName: "revoke",
    args: [{ schema, data: { uid, value: 0n } }],
  });
}
