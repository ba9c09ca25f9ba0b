import { type Hex, parseSignature, serializeSignature, size } from "viem";
import type { LocalAccount } from "viem/accounts";
import type { CountryWireInputs, EligibilityWireInputs } from "../attestation/wire";
import * as derive from "../derivations";
import { type AttestedCircuit, type Attester, attestersOf } from "../trust/attesters";
import { developmentSigners, person, signedAttestation } from "./attestations";

/** Honest wires of the wallet circuits for tests, put together as a foreign client would: by the formulas alone. */

export type WireOptions = {
  circuit: AttestedCircuit;
  user?: LocalAccount;
  scope?: string;
  /** Index of the attester's signer. */
  leaf?: number;
  attester?: Attester;
  signers?: readonly LocalAccount[];
  raw?: Hex;
  country?: string;
};

/** What signs, x and y of the key of a local account. */
function keyOf(account: LocalAccount): { x: Hex; y: Hex } {
  const digits = account.publicKey.slice(4);
  return { x: `0x${digits.slice(0, 64)}`, y: `0x${digits.slice(64)}` };
}

async function fields(options: WireOptions, tag: Hex) {
  const { circuit, user = person, scope = "zk-community", leaf = 0 } = options;
  const attester = options.attester ?? attestersOf("development")[circuit];
  const signer = (options.signers ?? developmentSigners(circuit))[leaf];
  if (!signer) throw new Error("no such signer");
  const country = circuit === "partner_country_attestation" ? (options.country ?? "FR") : undefined;
  const raw =
    options.raw ?? (await signedAttestation({ attester, signer, recipient: user.address, country }));
  const proof = derive.merkleProof(attester.signers, leaf);
  const word = derive.scopeWord(scope);
  return {
    nullifier: derive.walletNullifier(user.address, tag, word),
    scope_bytes: word,
    scope,
    merkle_root: attester.root,
    user_address: user.address,
    user_pubkey_x: keyOf(user).x,
    user_pubkey_y: keyOf(user).y,
    raw_transaction: raw,
    tx_length: size(raw),
    attester_pubkey_x: keyOf(signer).x,
    attester_pubkey_y: keyOf(signer).y,
    merkle_proof: proof,
    leaf_index: leaf,
    depth: proof.length,
  };
}

export async function countryWire(
  options: Omit<WireOptions, "circuit"> & { list?: string[]; isIncluded?: boolean } = {},
): Promise<CountryWireInputs> {
  const { user = person, scope = "zk-community", list = ["DE", "FR"], isIncluded = true } = options;
  const circuit = "partner_country_attestation";
  const signal_hash = derive.countrySignalHash(user.address, scope, circuit);
  return {
    signal_hash,
    ...(await fields({ ...options, circuit }, signal_hash)),
    signature: await personalSign(user, signal_hash),
    country_list: list,
    is_included: isIncluded,
  };
}

export async function eligibilityWire(
  options: WireOptions & { circuit: "network_eligibility" | "regional_attestation"; nonce?: string },
): Promise<EligibilityWireInputs> {
  const { circuit, user = person, scope = "zk-community", nonce = "challenge" } = options;
  const signal_hash = derive.eligibilitySignalHash(circuit, scope, nonce);
  return {
    signal_hash,
    ...(await fields(options, derive.circuitTag(circuit))),
    signature: await personalSign(user, signal_hash),
  };
}

/** personal_sign over 32 bytes. */
export function personalSign(account: LocalAccount, raw: Hex): Promise<Hex> {
  return account.signMessage({ message: { raw } });
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** The other valid signature of the same message: s in the upper half. */
export function highS(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature);
  const high: Hex = `0x${(ORDER - BigInt(s)).toString(16).padStart(64, "0")}`;
  return serializeSignature({ r, s: high, yParity: 1 - yParity });
}

/** A message hash whose signature by this account has a leading zero byte in `part`. */
export async function signalWithLeadingZero(account: LocalAccount, part: "r" | "s"): Promise<Hex> {
  for (let i = 0; i < 10_000; i++) {
    const signal: Hex = `0x${i.toString(16).padStart(64, "0")}`;
    if (parseSignature(await personalSign(account, signal))[part].startsWith("0x00")) return signal;
  }
  throw new Error("none of 10,000 messages gives such a signature");
}
