import {
  type Address,
  getAddress,
  type Hex,
  hexToString,
  isAddressEqual,
  keccak256,
  parseTransaction,
  serializeTransaction,
  size,
  slice,
  type TransactionSerializableEIP1559,
} from "viem";
import { type ProofInputCode, ProofInputError } from "../errors";
import type { Attester } from "../trust/attesters";
import { type CanonicalSignature, canonicalSignature, recoverSigner, type Signer } from "./secp256k1";

/** An attestation transaction's content and signer. Private: it names the wallet. */
export type AttestationTransaction = {
  /** Hash of the signed transaction. */
  hash: Hex;
  /** Type byte and nine RLP fields: what the attester signed. */
  unsigned: Hex;
  /** The attested wallet. */
  recipient: Address;
  /** ISO 3166-1 alpha-2 code; null for attestations without a country. */
  country: string | null;
  signer: Signer;
  signature: CanonicalSignature;
  /** Index of the signer in the attester's list. */
  leafIndex: number;
};

/** Maximum of the circuits: one block of Keccak-256. */
export const UNSIGNED_MAX_BYTES = 135;
const FIELD = "raw_transaction";
/** attestCountry(uint256): the only call that has a country before the recipient (design page, rule 7). */
const COUNTRY_SELECTOR = "0x0a225248";
const CALL_BYTES = 36;

const refuse = (code: ProofInputCode, message: string) => new ProofInputError(code, FIELD, message);

/**
 * Reads a signed attestation transaction by the rules of the circuits (design page "Circuits", rule 7). Each broken rule
 * has its own error.
 * @param raw type byte and 12 RLP fields.
 * @throws ProofInputError with field raw_transaction: TRANSACTION_MALFORMED, WRONG_CHAIN, WRONG_CONTRACT, WRONG_CALL,
 * TRANSACTION_TOO_LONG, SIGNATURE_INVALID or ATTESTER_NOT_TRUSTED.
 */
export async function readAttestationTransaction(
  raw: Hex,
  attester: Attester,
): Promise<AttestationTransaction> {
  const { fields, signature } = parseSigned(raw);
  checkTarget(fields, attester);
  const { recipient, country } = readCall(fields.data ?? "0x", attester);
  const unsigned = serializeTransaction(fields);
  if (size(unsigned) > UNSIGNED_MAX_BYTES) {
    throw refuse(
      "TRANSACTION_TOO_LONG",
      `the unsigned transaction has ${size(unsigned)} bytes, ${UNSIGNED_MAX_BYTES} fit`,
    );
  }
  const signer = await recoverSigner(keccak256(unsigned), signature);
  if (!signer) throw refuse("SIGNATURE_INVALID", "the transaction's signature is invalid");
  const leafIndex = attester.signers.findIndex((address) => isAddressEqual(address, signer.address));
  if (leafIndex < 0) {
    throw refuse("ATTESTER_NOT_TRUSTED", "the transaction was not signed by an authorized attester");
  }
  return { hash: keccak256(raw), unsigned, recipient, country, signer, signature, leafIndex };
}

function parseSigned(raw: Hex): {
  fields: TransactionSerializableEIP1559;
  signature: CanonicalSignature;
} {
  if (!raw.startsWith("0x02")) {
    throw refuse("TRANSACTION_MALFORMED", "must be an EIP-1559 (type 2) transaction");
  }
  const parsed = parseOrNull(raw);
  if (!parsed) throw refuse("TRANSACTION_MALFORMED", "is not an EIP-1559 transaction in RLP");
  const { r, s, v: _, yParity, ...fields } = parsed;
  if (r === undefined || s === undefined || yParity === undefined) {
    throw refuse("TRANSACTION_MALFORMED", "must be signed: 12 RLP fields");
  }
  const signature = canonicalSignature(r, s, yParity);
  if (!signature) throw refuse("SIGNATURE_INVALID", "the transaction's signature is not canonical");
  // A transaction has one encoding: anything the parser tolerated would have another hash.
  if (serializeTransaction(fields, signature) !== raw.toLowerCase()) {
    throw refuse("TRANSACTION_MALFORMED", "is not in canonical RLP");
  }
  return { fields, signature };
}

/** Drops viem's errors, which quote the transaction. */
function parseOrNull(raw: Hex) {
  try {
    const parsed = parseTransaction(raw);
    return parsed.type === "eip1559" ? parsed : null;
  } catch {
    return null;
  }
}

function checkTarget(fields: TransactionSerializableEIP1559, attester: Attester): void {
  if (fields.chainId !== attester.chainId) {
    throw refuse("WRONG_CHAIN", `the transaction is not for chain ${attester.chainId}`);
  }
  if (!fields.to || !isAddressEqual(fields.to, attester.contract)) {
    throw refuse("WRONG_CONTRACT", "the transaction does not call the attester contract");
  }
  if ((fields.value ?? 0n) !== 0n) throw refuse("WRONG_CALL", "the transaction carries value");
  if ((fields.accessList ?? []).length > 0) {
    throw refuse("TRANSACTION_MALFORMED", "the transaction has an access list");
  }
  // Nodes and the circuit limit gas to 64 bits.
  if ((fields.gas ?? 0n) >> 64n !== 0n) {
    throw refuse("TRANSACTION_MALFORMED", "the transaction's gas limit has more than 8 bytes");
  }
}

/** selector ‖ zero padding ‖ (two country bytes) ‖ recipient: 36 bytes. */
function readCall(data: Hex, attester: Attester): { recipient: Address; country: string | null } {
  if (size(data) < 4 || slice(data, 0, 4) !== attester.selector.toLowerCase()) {
    throw refuse("WRONG_CALL", "the transaction calls another function of the attester contract");
  }
  if (size(data) !== CALL_BYTES) throw refuse("WRONG_CALL", `the call data must have ${CALL_BYTES} bytes`);
  const withCountry = attester.selector.toLowerCase() === COUNTRY_SELECTOR;
  const paddingEnd = withCountry ? 14 : 16;
  if (BigInt(slice(data, 4, paddingEnd)) !== 0n) {
    throw refuse("WRONG_CALL", "the call data must have zeros before the country or recipient");
  }
  const country = withCountry ? hexToString(slice(data, 14, 16)) : null;
  if (country !== null && !/^[A-Z]{2}$/.test(country)) {
    throw refuse("WRONG_CALL", "the call data must name a country of two letters A to Z");
  }
  return { recipient: getAddress(slice(data, 16, CALL_BYTES)), country };
}
