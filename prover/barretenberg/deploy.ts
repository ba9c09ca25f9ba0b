import type { Account, Chain, Hex, PublicClient, Transport, WalletClient } from "viem";
import { encodeDeployData, getAddress } from "viem";
import { DIGEST_WORDS } from "@/lib/proofs/signed-digest";
import { VerifierFront } from "../../contracts/index";
import { ensureVerifier, type Linkable } from "./compiled-verifier";
import { KeysError } from "./errors";
import { frontValues } from "./front-values";
import type { CircuitKeys, PublicInputLayout } from "./types";

/** A circuit's contracts on one chain. */
export interface DeployedVerifier {
  /** VerifierFront: the address that verifies proofs */
  front: Hex;
  /** the generated verifier behind it */
  verifier: Hex;
  /** library name -> address */
  libraries: Record<string, Hex>;
  /** of all transactions */
  gasUsed: bigint;
  /** block of the last transaction, which deploys the front */
  blockNumber: bigint;
}

/**
 * Deploys a circuit's libraries, verifier and front, one transaction after the other.
 * @param wallet pays for all transactions
 * @param layout the circuit's public inputs; its count must be the key's
 * @throws KeysError if the layout does not match the key, or a deployment is reverted; viem's errors
 */
export async function deployVerifier(
  wallet: WalletClient<Transport, Chain, Account>,
  client: PublicClient,
  keys: CircuitKeys,
  layout: PublicInputLayout,
): Promise<DeployedVerifier> {
  // Checks the layout before anything is paid for.
  const [, , , signedDigest] = frontValues(layout);
  const count = layout.count + (signedDigest === 0 ? 0 : DIGEST_WORDS);
  if (count !== keys.publicInputs) {
    throw new KeysError(`${keys.circuit} has ${keys.publicInputs} public inputs, the layout ${count}`);
  }
  let gasUsed = 0n;
  let blockNumber = 0n;
  const deploy = async (data: Hex): Promise<Hex> => {
    const hash = await wallet.sendTransaction({ data });
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== "success" || !receipt.contractAddress) {
      throw new KeysError(`deploying the verifier of ${keys.circuit} was reverted`);
    }
    gasUsed += receipt.gasUsed;
    blockNumber = receipt.blockNumber;
    return getAddress(receipt.contractAddress);
  };

  const compiled = await ensureVerifier(keys);
  const libraries: Record<string, Hex> = {};
  for (const library of compiled.libraries) libraries[library.name] = await deploy(linkedCode(library, {}));
  const verifier = await deploy(linkedCode(compiled, libraries));
  const front = await deploy(frontCode(verifier, layout));
  return { front, verifier, libraries, gasUsed, blockNumber };
}

/** Returns the creation code of a verifier's front. @throws KeysError as byteWordsMask */
export function frontCode(verifier: Hex, layout: PublicInputLayout): Hex {
  return encodeDeployData({ ...VerifierFront, args: [verifier, ...frontValues(layout)] });
}

/** Returns creation code with its libraries' addresses. @throws KeysError if one is missing */
export function linkedCode({ name, bytecode, links }: Linkable, addresses: Record<string, Hex>): Hex {
  let code = bytecode.slice(2);
  for (const [library, offsets] of Object.entries(links)) {
    const address = addresses[library]?.slice(2).toLowerCase();
    if (!address) throw new KeysError(`${name} links to ${library}, which is not deployed`);
    for (const at of offsets) code = code.slice(0, at * 2) + address + code.slice(at * 2 + 40);
  }
  if (!/^[0-9a-f]+$/i.test(code)) throw new KeysError(`${name} has links left`);
  return `0x${code}`;
}
