import {
  type Address,
  concat,
  type Hex,
  isAddressEqual,
  pad,
  parseTransaction,
  stringToHex,
  type TransactionSerializableEIP1559,
} from "viem";
import { type LocalAccount, privateKeyToAccount } from "viem/accounts";
import { account as developmentAccount } from "@/contracts/local-chain";
import { merkleRoot } from "../derivations";
import { type AttestedCircuit, type Attester, attestersOf } from "../trust/attesters";

/** Signed attestation transactions for tests, by the development attesters or any others. */

/** Wallets that are attested, and one that pays: keys of their own, so that no test funds or knows them by accident. */
export const person = privateKeyToAccount(`0x${"a7".repeat(32)}`);
export const stranger = privateKeyToAccount(`0x${"b9".repeat(32)}`);

const accounts = new Map<number, LocalAccount>();
/** Account of anvil's own mnemonic; 20 to 23 sign attestations on chain 8453, 24 on 91342, in development. */
export function anvilAccount(index: number): LocalAccount {
  const account = accounts.get(index) ?? developmentAccount(index);
  accounts.set(index, account);
  return account;
}

/** The development signers of a circuit, in tree order. */
export function developmentSigners(circuit: AttestedCircuit): LocalAccount[] {
  const known = [20, 21, 22, 23, 24].map(anvilAccount);
  return attestersOf("development")[circuit].signers.map((address) => {
    const account = known.find((candidate) => isAddressEqual(candidate.address, address));
    if (!account) throw new Error(`no key for the development signer ${address}`);
    return account;
  });
}

/** An attester like another, with other signers. */
export function attesterWith(like: Attester, signers: readonly [Address, ...Address[]]): Attester {
  return { ...like, signers: [...signers], root: merkleRoot(signers) };
}

/** Calldata of an attestation: selector ‖ zeros ‖ (two letters) ‖ recipient. */
export function attestationCall(attester: Attester, recipient: Address, country?: string): Hex {
  const said = country === undefined ? recipient : concat([stringToHex(country), recipient]);
  return concat([`0x${attester.selector.slice(2)}`, pad(said, { size: 32 })]);
}

export type AttestationPlan = {
  attester: Attester;
  signer: LocalAccount;
  recipient: Address;
  /** Country circuit only. */
  country?: string;
  /** Fields other than the honest ones. */
  over?: Partial<TransactionSerializableEIP1559>;
};

/** A signed attestation transaction as its chain would take it. */
export function signedAttestation({
  attester,
  signer,
  recipient,
  country,
  over,
}: AttestationPlan): Promise<Hex> {
  return signer.signTransaction({
    type: "eip1559",
    chainId: attester.chainId,
    nonce: 7,
    maxPriorityFeePerGas: 1_000_000n,
    maxFeePerGas: 12_000_000n,
    gas: 300_000n,
    to: attester.contract,
    data: attestationCall(attester, recipient, country),
    ...over,
  });
}

/**
 * The first such transaction, by nonce from 0, whose signature has a leading zero byte in `part`: about one in 256.
 * RLP leaves that byte out.
 */
export async function attestationWithLeadingZero(plan: AttestationPlan, part: "r" | "s"): Promise<Hex> {
  for (let nonce = 0; nonce < 10_000; nonce++) {
    const raw = await signedAttestation({ ...plan, over: { ...plan.over, nonce } });
    if (parseTransaction(raw)[part]?.startsWith("0x00")) return raw;
  }
  throw new Error("no nonce below 10,000 gives such a signature");
}
