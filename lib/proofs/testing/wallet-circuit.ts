import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { fromRlp, type Hex } from "viem";
import type { CountryCircuitInputs } from "../attestation/country";
import type { EligibilityCircuitInputs } from "../attestation/eligibility";
import type { Attester } from "../trust/attesters";

/**
 * The rules of the wallet circuits once more, written from the design page over the circuits' own inputs and with noble
 * instead of viem: what a builder gives must satisfy them. Each rule returns its name when it is broken.
 */

const hash = (...parts: (readonly number[] | Uint8Array)[]) => [
  ...keccak_256(concatBytes(...parts.map((part) => Uint8Array.from(part)))),
];
const same = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((x, i) => x === b[i]);
const bytes = (hex: string) => [...hexToBytes(hex.replace(/^0x/, ""))];
const address = (x: readonly number[], y: readonly number[]) => hash(x, y).slice(12);

function signed(
  key: { x: readonly number[]; y: readonly number[] },
  { r, s }: { r: readonly number[]; s: readonly number[] },
  digest: readonly number[],
): boolean {
  if (r.length !== 32 || s.length !== 32) return false;
  return secp256k1.verify(
    Uint8Array.from([...r, ...s]),
    Uint8Array.from(digest),
    Uint8Array.from([4, ...key.x, ...key.y]),
    {
      prehash: false,
      lowS: true,
    },
  );
}

type Shared = Omit<
  CountryCircuitInputs,
  "countries" | "is_included" | "scope_string" | "merkle_root" | "signal_hash"
>;

/** The first broken rule about the attestation, or the country its call names (empty for none). */
function attested(
  inputs: Shared,
  root: readonly number[],
  attester: Attester,
): { broken: string } | { said: string } {
  const user = address(inputs.user_pubkey_x, inputs.user_pubkey_y);
  const { storage, len } = inputs.unsigned_transaction;
  const payload = storage.slice(0, len);
  if (storage.length !== 135 || storage.slice(len).some((byte) => byte !== 0))
    return { broken: "payload tail" };
  if (payload[0] !== 2) return { broken: "type" };
  const fields = fromRlp(Uint8Array.from(payload.slice(1)), "hex");
  if (!Array.isArray(fields) || fields.length !== 9) return { broken: "fields" };
  const [chainId, , , , , to, value, data, accessList] = fields.map((field): string =>
    typeof field === "string" ? field : field.length === 0 ? "empty" : "list",
  );
  if (Number(chainId) !== attester.chainId) return { broken: "chain" };
  if (to !== attester.contract.toLowerCase()) return { broken: "contract" };
  if (value !== "0x" || accessList !== "empty" || !data) return { broken: "value or access list" };
  const call = bytes(data);
  if (call.length !== 36 || !same(call.slice(0, 4), bytes(attester.selector))) return { broken: "call" };
  if (!same(call.slice(16), user)) return { broken: "recipient" };
  const key = { x: inputs.attester_pubkey_x, y: inputs.attester_pubkey_y };
  const signature = { r: inputs.attester_signature_r, s: inputs.attester_signature_s };
  if (!signed(key, signature, hash(payload))) return { broken: "attester signature" };
  let node = hash(address(key.x, key.y));
  inputs.merkle_path.forEach((sibling, level) => {
    if (level >= inputs.depth) {
      if (sibling.some((byte) => byte !== 0)) node = [];
    } else node = (inputs.leaf_index >> level) % 2 === 0 ? hash(node, sibling) : hash(sibling, node);
  });
  if (inputs.merkle_path.length !== 2 || inputs.leaf_index >> inputs.depth !== 0 || !same(node, root)) {
    return { broken: "membership" };
  }
  const said = call.slice(4, 16);
  const isCountry = attester.selector === "0x0a225248";
  if (said.slice(0, isCountry ? 10 : 12).some((byte) => byte !== 0)) return { broken: "padding" };
  return { said: isCountry ? String.fromCharCode(...said.slice(10)) : "" };
}

const personal = (signal: readonly number[]) => hash(utf8ToBytes("\x19Ethereum Signed Message:\n32"), signal);
const nullifier = (user: readonly number[], tag: readonly number[], scope: readonly number[]) =>
  hash(hash(user, tag), scope);

/** The first rule of partner_country_attestation these inputs break, or null. */
export function brokenCountryRule(inputs: CountryCircuitInputs, attester: Attester): string | null {
  const user = address(inputs.user_pubkey_x, inputs.user_pubkey_y);
  const { storage, len } = inputs.scope_string;
  const scope = storage.slice(0, len);
  if (len === 0 || storage.length !== 88 || storage.slice(len).some((byte) => byte !== 0))
    return "scope string";
  if (!same(hash(scope), inputs.scope)) return "scope";
  const signal = hash(user, scope, utf8ToBytes("partner_country_attestation"));
  if (!same(signal, inputs.signal_hash)) return "signal hash";
  const key = { x: inputs.user_pubkey_x, y: inputs.user_pubkey_y };
  const signature = { r: inputs.user_signature_r, s: inputs.user_signature_s };
  if (!same(inputs.signed_digest, personal(signal))) return "signed digest";
  if (!signed(key, signature, inputs.signed_digest)) return "user signature";
  const attestation = attested(inputs, inputs.merkle_root, attester);
  if ("broken" in attestation) return attestation.broken;
  const codes = inputs.countries.storage.map((code) => String.fromCharCode(...code));
  const list = codes.slice(0, inputs.countries.len);
  if (codes.length !== 10 || codes.slice(list.length).some((code) => code !== "\0\0"))
    return "countries' tail";
  if (list.length === 0 || new Set(list).size !== list.length || !list.every((c) => /^[A-Z]{2}$/.test(c))) {
    return "countries";
  }
  if (list.includes(attestation.said) !== inputs.is_included) return "inclusion";
  return same(nullifier(user, signal, inputs.scope), inputs.nullifier) ? null : "nullifier";
}

/** The first rule of an eligibility circuit these inputs break, or null. */
export function brokenEligibilityRule(
  inputs: EligibilityCircuitInputs,
  attester: Attester,
  circuit: string,
): string | null {
  const user = address(inputs.user_pubkey_x, inputs.user_pubkey_y);
  const { domain_separator: domain, action_hash: action, signal_hash: signal } = inputs;
  const isZero = (word: readonly number[]) => word.every((byte) => byte === 0);
  if (isZero(domain) !== isZero(action)) return "half an action";
  const digest = isZero(action) ? personal(signal) : hash([0x19, 0x01], domain, action);
  const key = { x: inputs.user_pubkey_x, y: inputs.user_pubkey_y };
  const signature = { r: inputs.user_signature_r, s: inputs.user_signature_s };
  if (!same(inputs.signed_digest, digest)) return "signed digest";
  if (!signed(key, signature, inputs.signed_digest)) return "user signature";
  const attestation = attested(inputs, inputs.signer_list_merkle_root, attester);
  if ("broken" in attestation) return attestation.broken;
  return same(nullifier(user, hash(utf8ToBytes(circuit)), inputs.scope), inputs.nullifier)
    ? null
    : "nullifier";
}

/** Public words in the order of a circuit's public parameters, from its inputs. */
export function publicWords(...parts: (readonly number[] | number | boolean)[]): Hex[] {
  return parts
    .flatMap((part) => (typeof part === "object" ? part : [Number(part)]))
    .map((value): Hex => `0x${bytesToHex(Uint8Array.of(value)).padStart(64, "0")}`);
}
