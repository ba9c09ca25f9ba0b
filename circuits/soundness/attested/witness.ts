/**
 * Witnesses of the three attested circuits, made with viem and nothing of the application but the digest that a verifier
 * computes: what the tests, the soundness harness and the application's own builder are held against.
 */
import type { InputMap } from "@noir-lang/noir_js";
import {
  concat,
  type Hex,
  hexToBytes,
  isHex,
  keccak256,
  numberToHex,
  serializeTransaction,
  stringToBytes,
  stringToHex,
  toHex,
  zeroHash,
} from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";
import { signedDigest } from "@/lib/proofs/signed-digest";
import development from "@/lib/proofs/trust/attesters.development.json" with { type: "json" };
import production from "@/lib/proofs/trust/attesters.production.json" with { type: "json" };
import type { Build } from "@/scripts/circuits/constants";

type EligibilityCircuit = "network_eligibility" | "regional_attestation";
export type AttestedCircuit = "partner_country_attestation" | EligibilityCircuit;

/** A BoundedVec: its storage in full, and its length. */
export type Bounded<T> = { storage: T[]; len: number };

/** What all three circuits take. Bytes are numbers, so that a test can change single ones. */
export interface CommonInputs {
  signal_hash: number[];
  scope: number[];
  nullifier: number[];
  user_pubkey_x: number[];
  user_pubkey_y: number[];
  user_signature_r: number[];
  user_signature_s: number[];
  unsigned_transaction: Bounded<number>;
  attester_pubkey_x: number[];
  attester_pubkey_y: number[];
  attester_signature_r: number[];
  attester_signature_s: number[];
  merkle_path: number[][];
  leaf_index: number;
  depth: number;
}

export interface CountryInputs extends CommonInputs {
  merkle_root: number[];
  countries: Bounded<number[]>;
  is_included: boolean;
  scope_string: Bounded<number>;
}

export interface EligibilityInputs extends CommonInputs {
  domain_separator: number[];
  action_hash: number[];
  signer_list_merkle_root: number[];
}

export type InputsOf<C extends AttestedCircuit> = C extends EligibilityCircuit
  ? EligibilityInputs
  : CountryInputs;

/** A witness by the names of the circuit's parameters, and the public inputs as a verifier gets them. */
export interface AttestationWitness<I extends CommonInputs> {
  inputs: I;
  publicInputs: Hex[];
}

/** Fields of the attestation transaction; honest ones where they are left out. */
interface TransactionFields {
  chainId: number;
  nonce: number;
  maxPriorityFeePerGas: bigint;
  maxFeePerGas: bigint;
  gas: bigint;
  to: Hex;
  value: bigint;
  data: Hex;
}

/** What a prover may choose. Everything else follows, honestly, from it. */
export interface Overrides {
  userKey?: Hex;
  /** Keys of the signer list, in tree order. */
  signerKeys?: Hex[];
  /** Which of them signs; the first. */
  signerIndex?: number;
  /** The application's scope string. */
  scope?: string;
  /** Country of the attestation. */
  country?: string;
  countries?: string[];
  isIncluded?: boolean;
  /** What an identity proof of an eligibility circuit signs. */
  signalHash?: Hex;
  action?: { domainSeparator: Hex; actionHash: Hex };
  transaction?: Partial<TransactionFields>;
  /** Changes the payload before the attester signs it. */
  payload?: (honest: Uint8Array) => Uint8Array;
}

const configs = { production, development };

function hexOf(text: string): Hex {
  if (!isHex(text)) throw new Error(`${text} is not hex`);
  return text;
}

/** Keys that are nobody's: 0x01… for users, 0x02… for signers. */
export const testKey = (kind: number, index: number): Hex =>
  numberToHex((BigInt(kind) << 64n) + BigInt(index + 1), { size: 32 });

export const USER_KEY = testKey(1, 0);
export const SIGNER_KEYS = [0, 1, 2, 3].map((index) => testKey(2, index));
export const SCOPE = "parley.example:board:1";
export const SIGNAL_HASH = keccak256(stringToHex("a challenge"));
export const ACTION = {
  domainSeparator: keccak256(stringToHex("a domain")),
  actionHash: keccak256(stringToHex("an action")),
};

export const bytesOf = (hex: Hex): number[] => [...hexToBytes(hex)];

/** Bytes in a BoundedVec of `max`; more than fit are cut off. */
export function bounded(bytes: ArrayLike<number>, max: number): Bounded<number> {
  return { storage: Array.from({ length: max }, (_, i) => bytes[i] ?? 0), len: bytes.length };
}

/** Levels of a signer list's tree, leaves first: an odd last node is paired with itself. */
function tree(addresses: Hex[]): Hex[][] {
  const levels = [addresses.map((address) => keccak256(address))];
  for (let level = levels[0] ?? []; level.length > 1; levels.push(level)) {
    level = level.flatMap((left, i) => (i % 2 ? [] : [keccak256(concat([left, level[i + 1] ?? left]))]));
  }
  return levels;
}

/** Root of a signer list, and the siblings of one of its leaves. */
export function placeOf(addresses: Hex[], index: number): { root: Hex; siblings: Hex[] } {
  const levels = tree(addresses);
  const siblings = levels.slice(0, -1).map((level, depth) => {
    const own = index >> depth;
    return level[own ^ 1] ?? level[own] ?? zeroHash;
  });
  return { root: levels.at(-1)?.[0] ?? zeroHash, siblings };
}

/** The attestation transaction as the attester signs it. */
export function payloadOf(circuit: AttestedCircuit, build: Build, choices: Overrides = {}): Uint8Array {
  const attester = configs[build][circuit];
  const user = privateKeyToAccount(choices.userKey ?? USER_KEY).address;
  const country = circuit === "partner_country_attestation" ? stringToHex(choices.country ?? "DE") : "0x0000";
  const padding = `0x${"00".repeat(10)}` as const;
  const fields: TransactionFields = {
    chainId: attester.chainId,
    nonce: 4711,
    maxPriorityFeePerGas: 1_000_000n,
    maxFeePerGas: 12_345_678n,
    gas: 400_000n,
    to: hexOf(attester.contract),
    value: 0n,
    data: concat([hexOf(attester.selector), padding, country, user]),
    ...choices.transaction,
  };
  const honest = hexToBytes(serializeTransaction({ type: "eip1559", ...fields }));
  return choices.payload ? choices.payload(honest) : honest;
}

interface Signed {
  x: number[];
  y: number[];
  r: number[];
  s: number[];
}

async function signed(privateKey: Hex, hash: Hex): Promise<Signed> {
  const { r, s } = await sign({ hash, privateKey });
  const point = hexToBytes(privateKeyToAccount(privateKey).publicKey);
  return { x: [...point.slice(1, 33)], y: [...point.slice(33)], r: bytesOf(r), s: bytesOf(s) };
}

/** The digest of personal_sign over 32 bytes. */
function personalDigest(message: Hex): Hex {
  return keccak256(concat([stringToHex("\x19Ethereum Signed Message:\n32"), message]));
}

/** What the user signs: the identity's personal_sign, or an action's typed data. */
export function userDigest(circuit: AttestedCircuit, choices: Overrides = {}): Hex {
  const { action } = choices;
  if (circuit === "partner_country_attestation") return personalDigest(countrySignal(choices));
  return action
    ? keccak256(concat(["0x1901", action.domainSeparator, action.actionHash]))
    : personalDigest(choices.signalHash ?? SIGNAL_HASH);
}

/** Signal hash of the country circuit. */
function countrySignal({ scope = SCOPE, userKey = USER_KEY }: Overrides): Hex {
  const { address } = privateKeyToAccount(userKey);
  return keccak256(concat([address, stringToHex(scope), stringToHex("partner_country_attestation")]));
}

function nullifierOf(user: Hex, tag: Hex, scope: Hex): number[] {
  return bytesOf(keccak256(concat([keccak256(concat([user, tag])), scope])));
}

interface Common {
  user: Hex;
  scope: Hex;
  root: Hex;
  inputs: Omit<CommonInputs, "nullifier" | "signal_hash">;
}

/** The part that the circuits share. */
async function common(circuit: AttestedCircuit, build: Build, choices: Overrides): Promise<Common> {
  const userKey = choices.userKey ?? USER_KEY;
  const signerKeys = choices.signerKeys ?? SIGNER_KEYS;
  const index = choices.signerIndex ?? 0;
  const signerKey = signerKeys[index];
  if (signerKey === undefined) throw new RangeError("no such signer");
  const payload = payloadOf(circuit, build, choices);
  const user = await signed(userKey, userDigest(circuit, choices));
  const attester = await signed(signerKey, keccak256(payload));
  const addresses = signerKeys.map((key) => privateKeyToAccount(key).address);
  const { root, siblings } = placeOf(addresses, index);
  const scope = keccak256(stringToBytes(choices.scope ?? SCOPE));
  return {
    user: privateKeyToAccount(userKey).address,
    scope,
    root,
    inputs: {
      scope: bytesOf(scope),
      user_pubkey_x: user.x,
      user_pubkey_y: user.y,
      user_signature_r: user.r,
      user_signature_s: user.s,
      unsigned_transaction: bounded(payload, 135),
      attester_pubkey_x: attester.x,
      attester_pubkey_y: attester.y,
      attester_signature_r: attester.r,
      attester_signature_s: attester.s,
      merkle_path: [0, 1].map((level) => bytesOf(siblings[level] ?? zeroHash)),
      leaf_index: index,
      depth: siblings.length,
    },
  };
}

async function countryInputs(build: Build, choices: Overrides): Promise<CountryInputs> {
  const circuit = "partner_country_attestation";
  const signal = countrySignal(choices);
  const { user, inputs, ...found } = await common(circuit, build, choices);
  const country = choices.country ?? "DE";
  const countries = choices.countries ?? ["DE", "FR"];
  const codes = Array.from({ length: 10 }, (_, i) => [...stringToBytes(countries[i] ?? "\0\0")]);
  return {
    ...inputs,
    signal_hash: bytesOf(signal),
    nullifier: nullifierOf(user, signal, found.scope),
    merkle_root: bytesOf(found.root),
    countries: { storage: codes, len: countries.length },
    is_included: choices.isIncluded ?? countries.includes(country),
    scope_string: bounded(stringToBytes(choices.scope ?? SCOPE), 88),
  };
}

async function eligibilityInputs(
  circuit: EligibilityCircuit,
  build: Build,
  choices: Overrides,
): Promise<EligibilityInputs> {
  const { action } = choices;
  const signal = choices.signalHash ?? (action ? zeroHash : SIGNAL_HASH);
  const { user, inputs, ...found } = await common(circuit, build, choices);
  return {
    ...inputs,
    signal_hash: bytesOf(signal),
    domain_separator: bytesOf(action?.domainSeparator ?? zeroHash),
    action_hash: bytesOf(action?.actionHash ?? zeroHash),
    signer_list_merkle_root: bytesOf(found.root),
    nullifier: nullifierOf(user, keccak256(stringToBytes(circuit)), found.scope),
  };
}

const isCountry = (inputs: CommonInputs): inputs is CountryInputs => "countries" in inputs;
const isEligibility = (inputs: CommonInputs): inputs is EligibilityInputs => "action_hash" in inputs;

/** The public inputs of a witness, one word per byte, in the order of the circuit's parameters. */
function publicInputsOf(inputs: CommonInputs): Hex[] {
  let words: number[] = [];
  if (isCountry(inputs)) {
    const { countries, is_included, merkle_root, nullifier, scope, signal_hash } = inputs;
    const list = [...countries.storage.flat(), countries.len];
    words = [...signal_hash, ...merkle_root, ...list, Number(is_included), ...scope, ...nullifier];
  } else if (isEligibility(inputs)) {
    const { action_hash, domain_separator, nullifier, scope, signal_hash, signer_list_merkle_root } = inputs;
    const root = signer_list_merkle_root;
    words = [...signal_hash, ...domain_separator, ...action_hash, ...root, ...scope, ...nullifier];
  }
  return words.map((word) => toHex(word, { size: 32 }));
}

/** A witness as noir_js takes it: with the digest that a verifier computes from its public inputs. */
export function toInputMap(inputs: CommonInputs): InputMap {
  const circuit = isCountry(inputs) ? "partner_country_attestation" : "network_eligibility";
  return { ...inputs, signed_digest: bytesOf(signedDigest(circuit, publicInputsOf(inputs))) };
}

/** The honest witness, but for what `overrides` say. */
export async function build<C extends AttestedCircuit>(
  circuit: C,
  build: Build,
  overrides?: Overrides,
): Promise<AttestationWitness<InputsOf<C>>>;
export async function build(
  circuit: AttestedCircuit,
  build: Build,
  overrides: Overrides = {},
): Promise<AttestationWitness<CommonInputs>> {
  const inputs =
    circuit === "partner_country_attestation"
      ? await countryInputs(build, overrides)
      : await eligibilityInputs(circuit, build, overrides);
  return { inputs, publicInputs: publicInputsOf(inputs) };
}
